/*
 * readme.test.mjs - the snippets of README.md for hosts that cannot be run
 * here: what they configure is started as those hosts would start it.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, bare, exec, load, place, snippet, toolNames } from "./lib.mjs";

const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { parse } = await load("smol-toml");

const options = { timeout: 60000 };

async function start(t, { command, args, env }, cwd) {
  const client = new Client({ name: "test", version: "1" });
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
