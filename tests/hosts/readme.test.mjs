/*
 * readme.test.mjs - the snippets of README.md for hosts that cannot be run
 * here: what they configure is started as those hosts would start it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, bare, exec, load, place, snippet, toolNames } from "./lib.mjs";

const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { parse } = await load("smol-toml");

const options = { timeout: 60000 };

async function start(t, { command, args, env }, cwd, name = "test") {
  const client = new Client({ name, version: "1" });
  t.after(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: "inherit" }));
  return client;
}

const notes = (at) => readdirSync(join(at.home, ".agents/notes"), { recursive: true }).filter((name) => name.endsWith(".md"));

test("Claude Code: .mcp.json, with what Claude Code says of itself", options, async (t) => {
  const at = place(t);
  const { type, ...server } = JSON.parse(snippet("Claude Code", "json")).mcpServers.ctx;
  assert.equal(type, "stdio");
  const host = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "11111111-2222-3333-4444-555555555555", CLAUDE_PROJECT_DIR: at.project };
  const client = await start(t, { ...server, env: bare(at, { ...host, ...server.env }) }, "/");
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), await toolNames());
  // What it would show instead of the text must not be there.
  assert.ok(tools.every((tool) => tool.outputSchema === undefined && /^[a-zA-Z0-9_-]{1,64}$/.test(`mcp__ctx__${tool.name}`)));
  const call = (address) => client.callTool({ name: "notes_write", arguments: { address, content: "x" } });
  const written = await call("@project/a");
  assert.equal(written.structuredContent, undefined);
  assert.match(written.content[0].text, /^created @project\/a\.md \(project shop-api-[0-9a-f]{8}\)$/);
  await call("@self/b");
  await call("c");
  assert.ok(notes(at).includes("agents/claude/b.md"), notes(at).join());
  assert.ok(notes(at).includes(`pi/session/${host.CLAUDE_CODE_SESSION_ID}/c.md`), notes(at).join());
});

test("Claude Code: the hook, with the object that Claude Code gives it", options, async (t) => {
  const at = place(t);
  const [{ matcher, hooks: [hook] }] = JSON.parse(snippet("Claude Code", "json", 2)).hooks.SessionStart;
  const { env } = JSON.parse(snippet("Claude Code", "json")).mcpServers.ctx;
  assert.equal(hook.type, "command");
  for (const address of ["@project/deploy", "@self/habits"])
    await exec(join(BIN, "notes-write"), [address, "--content", "# Note\n"], { env: bare(at, { ...env, CTX_CWD: at.project }) });
  const run = (input) => exec("sh", ["-c", hook.command], { env: bare(at), cwd: "/", input, seconds: hook.timeout });
  for (const source of matcher.split("|")) {
    const { code, stdout, stderr } = await run(JSON.stringify({ session_id: "11111111-2222-3333-4444-555555555555",
      transcript_path: join(at.dir, "none.jsonl"), cwd: at.project, hook_event_name: "SessionStart", source }));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Agent name: claude /m);
    assert.match(stdout, /claude:11111111-2222-3333-4444-555555555555/);
    assert.match(stdout, /@project\/deploy/);
    assert.match(stdout, /@self\/habits/);
  }
  const failed = await run("no object");
  assert.deepEqual([failed.code, failed.stdout], [0, ""]);
});

test("Codex: config.toml, in the environment that Codex leaves", options, async (t) => {
  const at = place(t);
  const { command, args, env, env_vars, enabled_tools, startup_timeout_sec, tool_timeout_sec } =
    parse(snippet("Codex", "toml")).mcp_servers.ctx;
  assert.deepEqual([startup_timeout_sec, tool_timeout_sec], [10, 60]);
  const host = bare(at, { CTX_NOTES_HOME: join(at.home, ".agents/notes"), CTX_AGENT: "nobody" });
  const kept = ["HOME", "PATH", "TZ", "CTX_HOSTS_RUN", ...env_vars].filter((name) => name in host);
  const client = await start(t, { command, args, env: { ...Object.fromEntries(kept.map((name) => [name, host[name]])), ...env } }, at.project);
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), enabled_tools);
  const _meta = { "x-codex-turn-metadata": { thread_id: "0199-thread", session_id: "s", model: "gpt-x" } };
  for (const address of ["@self/b", "@model/m", "c"])
    assert.equal((await client.callTool({ name: "notes_write", arguments: { address, content: "x" }, _meta })).isError, false);
  assert.deepEqual(notes(at).sort(), ["agents/codex/b.md", "models/gpt-x/m.md", "pi/session/0199-thread/c.md"]);
});

/* Writes a note of each kind, and gives the text that the model would get. */
async function writeNotes(client) {
  for (const address of ["@self/b", "c"]) {
    const result = await client.callTool({ name: "notes_write", arguments: { address, content: "x" } });
    assert.deepEqual([result.isError, result.structuredContent, result.content.length], [false, undefined, 1]);
    assert.match(result.content[0].text, /^created /);
  }
}

/* The text is all that there is: of a refusal, too. */
async function refused(client) {
  const result = await client.callTool({ name: "notes_read", arguments: { address: "@self/gone" } });
  assert.deepEqual([result.isError, result.structuredContent], [true, undefined]);
  assert.match(result.content[0].text, /^error: not_found: /);
}

test("Copilot CLI: mcp-config.json, with what Copilot CLI says of itself", options, async (t) => {
  const at = place(t);
  const { type, tools, ...server } = JSON.parse(snippet("Copilot CLI", "json")).mcpServers.ctx;
  assert.deepEqual([type, tools], ["local", ["*"]]);
  // Started from a shell of Claude Code's.
  const host = { COPILOT_AGENT_SESSION_ID: "c0ffee00-1", CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "other" };
  const client = await start(t, { ...server, env: bare(at, { ...host, ...server.env }) }, at.project, "copilot-cli");
  await writeNotes(client);
  await refused(client);
  assert.deepEqual(notes(at).sort(), ["agents/copilot/b.md", "pi/session/c0ffee00-1/c.md"]);
});

test("Qwen Code: settings.json, and the session whose transcript has the call", options, async (t) => {
  const at = place(t);
  const { trust, ...server } = JSON.parse(snippet("Qwen Code and Gemini CLI", "json")).mcpServers.ctx;
  assert.equal(trust, true);
  const chats = join(at.home, ".qwen/projects", at.project.replace(/[^A-Za-z0-9]/g, "-"), "chats");
  mkdirSync(chats, { recursive: true });
  const client = await start(t, { ...server, env: bare(at, server.env) }, at.project, "qwen-cli-mcp-client-ctx");
  const functionCall = { id: "call_1", name: "mcp__ctx__notes_write", args: { address: "c", content: "x" } };
  writeFileSync(join(chats, "0b1c-2d.jsonl"), JSON.stringify({ uuid: "u", parentUuid: null, type: "assistant", cwd: at.project,
    message: { role: "model", parts: [{ functionCall }] } }) + "\n");
  await writeNotes(client);
  await refused(client);
  assert.deepEqual(notes(at).sort(), ["agents/qwen/b.md", "pi/session/0b1c-2d/c.md"]);
});

test("Gemini CLI: settings.json, and the session of the directory", options, async (t) => {
  const at = place(t);
  const server = JSON.parse(snippet("Qwen Code and Gemini CLI", "json").replaceAll("qwen", "gemini")).mcpServers.ctx;
  const project = join(at.home, ".gemini/tmp/shop-api");
  mkdirSync(join(project, "chats"), { recursive: true });
  writeFileSync(join(project, ".project_root"), at.project);
  const client = await start(t, { ...server, env: bare(at, server.env) }, at.project, "gemini-cli-mcp-client");
  await client.listTools();
  writeFileSync(join(project, "chats/session-2026-03-05T09-00-0b1c2d3e.jsonl"), JSON.stringify({ sessionId: "0b1c2d3e-4f",
    projectHash: "h", startTime: new Date().toISOString(), kind: "main" }) + "\n");
  await writeNotes(client);
  await refused(client);
  assert.deepEqual(notes(at).sort(), ["agents/gemini/b.md", "pi/session/0b1c2d3e-4f/c.md"]);
});

test("Copilot CLI and Gemini CLI: the hooks, with the objects that they give", options, async (t) => {
  const at = place(t);
  const [copilot] = JSON.parse(snippet("Copilot CLI", "json", 2)).hooks.sessionStart;
  const [{ hooks: [gemini] }] = JSON.parse(snippet("Qwen Code and Gemini CLI", "json", 2)).hooks.SessionStart;
  const run = async (command, input) => {
    const { code, stdout, stderr } = await exec("sh", ["-c", command], { env: bare(at), cwd: "/", input: JSON.stringify(input) });
    assert.deepEqual([code, stderr], [0, ""]);
    return JSON.parse(stdout);
  };
  const one = await run(copilot.bash, { sessionId: "c0ffee00-1", cwd: at.project, source: "new", timestamp: 1785571200000 });
  assert.deepEqual(Object.keys(one), ["additionalContext"]);
  assert.match(one.additionalContext, /^Agent name: copilot [^]*copilot:c0ffee00-1:0/m);
  const two = await run(gemini.command, { session_id: "0b1c2d3e-4f", transcript_path: join(at.dir, "none.jsonl"),
    cwd: at.project, hook_event_name: "SessionStart", source: "startup" });
  assert.equal(two.hookSpecificOutput.hookEventName, "SessionStart");
  assert.match(two.hookSpecificOutput.additionalContext, /^Agent name: gemini [^]*gemini:0b1c2d3e-4f:0/m);
});
