/*
 * more.test.mjs - Copilot CLI, Qwen Code and Gemini CLI, driven by a scripted
 * model, a turn a process: every record that they write is what the programs
 * show of it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { MODULES, bare, exec, place, snippet } from "../lib.mjs";
import { play } from "./anthropic.mjs";
import { play as playGemini } from "./gemini-model.mjs";
import { faultsOf, found, none } from "./check.mjs";
import { copilot, gemini, qwen } from "./more.mjs";

const options = { timeout: 400000 };
const use = (name, input) => ({ type: "tool_use", name, input });
const both = () => JSON.parse(snippet("Qwen Code and Gemini CLI", "json"));
const say = (text) => ({ type: "text", text });

/* What differs between them: their settings, a turn, where they write. */
const hosts = {
  copilot: {
    oracle: copilot, play, tool: "ctx-notes_write", shell: (command) => use("bash", { command, description: "d" }),
    read: use("view", { path: "/nonexistent/mk-file" }),
    agent: use("task", { agent_type: "general-purpose", name: "sub", description: "sub", prompt: "mk-sub-prompt @@sub", mode: "sync" }),
    settings: (at) => write(join(at.home, ".copilot/mcp-config.json"), JSON.parse(snippet("Copilot CLI", "json"))), note: "where",
    env: (url) => ({ COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false", COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "none", COPILOT_MODEL: "claude-sonnet-4.5", COPILOT_PROVIDER_MODEL_ID: "claude-sonnet-4.5" }),
    turn: (text, id) => [join(MODULES, "@github/copilot/npm-loader.js"), "-p", text, "--allow-all-tools", "--allow-all-paths", ...(id ? ["--resume", id] : [])],
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
    root: ".qwen/projects", is: (name) => /\/chats\/[^/]+\.jsonl$/.test(name), id: (file) => basename(file, ".jsonl"), forks: true,
  },
  gemini: {
    oracle: gemini, play: playGemini, tool: "mcp_ctx_notes_write", shell: (command) => use("run_shell_command", { command, description: "d" }),
    read: use("read_file", { file_path: "/nonexistent/mk-file" }),
    settings: (at) => write(join(at.home, ".gemini/settings.json"), { ...both(),
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } }, general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } }),
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    turn: (text, id) => [join(MODULES, "@google/gemini-cli/bundle/gemini.js"), "-p", text, "--yolo", "--skip-trust", "-m", "gemini-2.5-pro", ...(id ? ["--resume", id] : [])],
    root: ".gemini/tmp", is: (name) => /\/chats\/session-[^/]+\.jsonl$/.test(name),
    id: (file) => JSON.parse(readFileSync(file, "utf8").split("\n")[0]).sessionId,
  },
};

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

const script = (host) => ({
  aside: (k) => `mk-aside-${k}`,
  plain: [[{ type: "thinking", thinking: "mk-thought" }, say("mk-a-plain")]],
  tools: [[say("mk-a-tools"), host.shell("echo mk-out-one"), host.shell("echo mk-out-two; exit 3"), host.read], [use("no_such", { x: "mk-unknown" })], "mk-a-tools-end"],
  note: [[use(host.tool, { address: host.note ?? "@project/where", content: "mk-note" }), use(host.tool, { address: "@agents/bob/x", content: "mk-refused" })], "mk-a-note"],
  agent: [[host.agent], "mk-a-agent"], sub: [[say("mk-sub-a"), host.shell("echo mk-sub-out")], "mk-sub-end"],
  forked: ["mk-a-forked"], later: ["mk-a-later"],
});

for (const [name, host] of Object.entries(hosts))
  test(`${name}: turns, parallel and failing calls, MCP, resume`, options, async (t) => {
    const at = place(t), model = await host.play(script(host)), env = bare(at);
    t.after(model.close);
    host.settings(at);
    const full = { ...env, PATH: `${env.PATH}:${dirname(process.execPath)}`, ...host.env(model.url) };
    const turn = async (...args) => {
      const { code, stdout, stderr } = await exec(process.execPath, host.turn(...args), { env: full, cwd: at.project, seconds: 120 });
      assert.equal(code, 0, `${stdout}${stderr}`);
    };
    const files = () => readdirSync(join(at.home, host.root), { recursive: true }).map((one) => join(at.home, host.root, String(one))).filter(host.is);
    const largest = (list) => list.sort((a, b) => readFileSync(b).length - readFileSync(a).length)[0];
    const check = async (file) => {
      const { faults, records, shown } = await faultsOf(env, host.oracle, file, `${name}:${host.id(file)}`);
      t.diagnostic(`${name}:${host.id(file)}: ${records} records, ${shown} events`);
      none(faults);
    };
    await turn("mk-u-plain @@plain");
    const id = host.id(largest(files()));
    await turn("mk-u-tools @@tools", id);
    await turn("mk-u-note @@note", id);
    if (host.agent) await turn("mk-u-agent @@agent", id);
    await t.test("a session, resumed again and again", () => check(largest(files().filter((file) => host.id(file) === id))));
    await t.test("a note is where it was told to be", () =>
      assert.match(readFileSync(join(at.home, ".agents/notes", readdirSync(join(at.home, ".agents/notes"), { recursive: true }).map(String).find((one) => one.endsWith("where.md"))), "utf8"), /mk-note/));
    if (host.note)
      await t.test("and is of the session", () => assert.deepEqual(readdirSync(join(at.home, ".agents/notes/pi/session")), [id]));
    if (host.forks) {
      const before = files();
      await turn("mk-u-forked @@forked", id, true);
      const fork = files().find((file) => !before.includes(file));
      await t.test("forked", async () => {
        await check(fork);
        assert.equal(await found(env, "mk-u-plain"), 1);
      });
    }
    await turn("mk-u-later @@later", id);
    await t.test("and once more", () => check(largest(files().filter((file) => host.id(file) === id))));
  });
