/*
 * more-home.mjs - Copilot CLI, Qwen Code and Gemini CLI set up for a test: what
 * differs between them, and a script that each of them plays.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MODULES, bare, exec, place, snippet } from "../lib.mjs";
import { play } from "./anthropic.mjs";
import { play as playGemini } from "./gemini-model.mjs";
import { faultsOf, found, none } from "./check.mjs";
import { copilot, gemini, qwen } from "./more.mjs";

export const use = (name, input) => ({ type: "tool_use", name, input });
const both = () => JSON.parse(snippet("Qwen Code and Gemini CLI", "json"));
export const say = (text) => ({ type: "text", text });

/* What differs between them: their settings, a turn, where they write. */
export const hosts = {
  copilot: {
    oracle: copilot, play, tool: "ctx-notes_write", shell: (command) => use("bash", { command, description: "d" }),
    read: use("view", { path: "/nonexistent/mk-file" }),
    agent: use("task", { agent_type: "general-purpose", name: "sub", description: "sub", prompt: "mk-sub-prompt @@sub", mode: "sync" }),
    settings: (at) => write(join(at.home, ".copilot/mcp-config.json"), JSON.parse(snippet("Copilot CLI", "json"))), note: "where",
    env: (url) => ({ COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false", COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "none", COPILOT_MODEL: "claude-sonnet-4.5", COPILOT_PROVIDER_MODEL_ID: "claude-sonnet-4.5" }),
    turn: (text, id) => [join(MODULES, "@github/copilot/npm-loader.js"), "-p", text, "--allow-all-tools", "--allow-all-paths", ...(id ? ["--resume", id] : [])],
    subagents: async ({ env }) => assert.equal(await found(env, "mk-sub-out"), 0),
    screen: (...more) => [join(MODULES, "@github/copilot/npm-loader.js"), "--allow-all-tools", "--allow-all-paths", ...more],
    idle: /\n❯\s*\n─+\n.*\/ commands/,
    root: ".copilot/session-state", is: (name) => basename(name) === "events.jsonl", id: (file) => basename(dirname(file)),
  },
  qwen: {
    oracle: qwen, play, tool: "mcp__ctx__notes_write", shell: (command) => use("run_shell_command", { command, description: "d", is_background: false }),
    read: use("read_file", { file_path: "/nonexistent/mk-file" }),
    agent: use("agent", { description: "sub", prompt: "mk-sub-prompt @@sub", subagent_type: "general-purpose" }),
    settings: (at) => write(join(at.home, ".qwen/settings.json"), { ...both(), security: { auth: { selectedType: "anthropic" } } }),
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", ANTHROPIC_MODEL: "claude-sonnet-4-5", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" }),
    turn: (text, id, fork) => [join(MODULES, "@qwen-code/qwen-code/cli.js"), "-p", text, "--yolo", "--auth-type", "anthropic",
      ...(id ? ["--resume", id] : []), ...(fork ? ["--fork-session"] : [])],
    subagents: async ({ env }) => assert.equal(await found(env, "mk-sub-out"), 0),
    screen: (...more) => [join(MODULES, "@qwen-code/qwen-code/cli.js"), "--yolo", "--auth-type", "anthropic", ...more],
    idle: /\*   Type your message/,
    root: ".qwen/projects", is: (name) => /\/chats\/[^/]+\.jsonl$/.test(name), id: (file) => basename(file, ".jsonl"), forks: true,
  },
  gemini: {
    oracle: gemini, play: playGemini, tool: "mcp_ctx_notes_write", shell: (command) => use("run_shell_command", { command, description: "d" }),
    read: use("read_file", { file_path: "/nonexistent/mk-file" }),
    agent: use("invoke_agent", { agent_name: "generalist", prompt: "mk-sub-prompt @@sub" }), done: [use("complete_task", { result: "mk-sub-end" })],
    /* They have files of their own, which their full id selects. */
    subagents: async ({ at, env, id }) => {
      const agents = readdirSync(join(at.home, ".gemini/tmp"), { recursive: true }).map((one) => join(at.home, ".gemini/tmp", String(one)))
        .filter((file) => basename(dirname(file)) === id && file.endsWith(".jsonl"));
      assert.equal(agents.length, 1);
      for (const file of agents) {
        const { faults, shown } = await faultsOf(env, gemini, file, `gemini:${basename(file, ".jsonl")}`);
        assert.ok(shown > 0);
        none(faults);
      }
      assert.equal(await found(env, "mk-sub-out"), 0);
    },
    settings: (at) => write(join(at.home, ".gemini/settings.json"), { ...both(),
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } }, general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } }),
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    turn: (text, id) => [join(MODULES, "@google/gemini-cli/bundle/gemini.js"), "-p", text, "--yolo", "--skip-trust", "-m", "gemini-2.5-pro", ...(id ? ["--resume", id] : [])],
    screen: (...more) => [join(MODULES, "@google/gemini-cli/bundle/gemini.js"), "--yolo", "--skip-trust", "-m", "gemini-2.5-pro", ...more],
    idle: /\n *\*   Type your message/, typed: /\n *\* mk-u-/,
    root: ".gemini/tmp", is: (name) => /\/chats\/session-[^/]+\.jsonl$/.test(name),
    id: (file) => JSON.parse(readFileSync(file, "utf8").split("\n")[0]).sessionId,
  },
};

export function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

export const script = (host) => ({
  aside: (k) => `mk-aside-${k}`,
  plain: [[{ type: "thinking", thinking: "mk-thought" }, say("mk-a-plain")]],
  tools: [[say("mk-a-tools"), host.shell("echo mk-out-one"), host.shell("echo mk-out-two; exit 3"), host.read], [use("no_such", { x: "mk-unknown" })], "mk-a-tools-end"],
  note: [[use(host.tool, { address: host.note ?? "@project/where", content: "mk-note" }), use(host.tool, { address: "@agents/bob/x", content: "mk-refused" })], "mk-a-note"],
  agent: [[host.agent], "mk-a-agent"], sub: [[say("mk-sub-a"), host.shell("echo mk-sub-out")], host.done ?? "mk-sub-end"],
  forked: ["mk-a-forked"], later: ["mk-a-later"],
});

/* A home of the test's own, and what it is looked at with. */
export async function begin(t, name, lines) {
  const host = hosts[name], at = place(t), model = await host.play(lines), env = bare(at);
  t.after(model.close);
  host.settings(at);
  const full = { ...env, PATH: `${env.PATH}:${dirname(process.execPath)}`, ...host.env(model.url) };
  const root = join(at.home, host.root);
  /* A file that has just been made may not have its header yet. */
  const files = () => !existsSync(root) ? [] : readdirSync(root, { recursive: true }).map((one) => join(root, String(one)))
    .filter((file) => host.is(file) && readFileSync(file, "utf8").includes("\n"));
  return {
    host, at, model, env, full, files,
    turn: async (...args) => {
      const { code, stdout, stderr } = await exec(process.execPath, host.turn(...args), { env: full, cwd: at.project, seconds: 120 });
      assert.equal(code, 0, `${stdout}${stderr}`);
    },
    fileOf: (id) => files().filter((file) => host.id(file) === id).sort((a, b) => readFileSync(b).length - readFileSync(a).length)[0],
    check: async (file, gone) => {
      const { faults, records, shown } = await faultsOf(env, host.oracle, file, `${name}:${host.id(file)}`, gone);
      t.diagnostic(`${name}:${host.id(file)}: ${records} records, ${shown} events`);
      none(faults);
    },
  };
}
