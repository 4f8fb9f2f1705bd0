/*
 * sdk.test.mjs - mcp-serve, as the client of the official MCP SDK sees it.  The
 * client itself checks messages, and each result against its outputSchema.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { BIN, ROOT, bare, exec, load, place, toolNames, until } from "./lib.mjs";

const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { LATEST_PROTOCOL_VERSION, ListRootsRequestSchema } = await load("@modelcontextprotocol/sdk/types.js");
const { Ajv2020 } = await load("ajv/dist/2020.js");

const options = { timeout: 60000 };
const SAMPLE = join(ROOT, "samples", "shop.jsonl");

/* A client that is connected to a server of its own, and closed at the end. */
async function connect(t, at, { args = [], env = {}, capabilities = {}, setUp = () => {} } = {}) {
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  setUp(client);
  const transport = new StdioClientTransport({ command: "mcp-serve", args, cwd: at.project, stderr: "pipe",
    env: bare(at, { CTX_AGENT: "ana", ...env }) });
  const err = [];
  transport.stderr.on("data", (bytes) => err.push(bytes));
  t.after(() => client.close());
  await client.connect(transport);
  const call = (name, args, more) => client.callTool({ name, arguments: args, _meta: more });
  return { client, call, pid: transport.pid, stderr: () => Buffer.concat(err).toString() };
}

const only = (result) => {
  assert.equal(result.content.length, 1);
  assert.equal(result.content[0].type, "text");
  return result.content[0].text;
};

test("initialize: the newest version of the client, and only tools", options, async (t) => {
  const { client, stderr } = await connect(t, place(t));
  const printed = (await exec(join(BIN, "mcp-serve"), ["--version"], { env: {} })).stdout;
  assert.deepEqual(client.getServerCapabilities(), { tools: {} });
  const { name, title, version } = client.getServerVersion();
  assert.ok(printed.includes(version), printed);
  assert.deepEqual([name, title, LATEST_PROTOCOL_VERSION], ["ctxtools", "ctxtools", "2025-11-25"]);
  assert.ok(client.getInstructions().length > 0 && Buffer.byteLength(client.getInstructions()) <= 1024);
  assert.deepEqual(await client.ping(), {});
  assert.equal(stderr(), "");
});

test("tools/list: what tool-schemas prints, with schemas that a strict validator takes", options, async (t) => {
  const at = place(t);
  const { client } = await connect(t, at);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), await toolNames());
  for (const tool of tools) {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    ajv.compile(tool.inputSchema);
    ajv.compile(tool.outputSchema);
    assert.equal(tool.annotations.readOnlyHint, !/write|update/.test(tool.name));
    assert.ok(tool.title && tool.description);
  }
  const printed = await exec(join(BIN, "tool-schemas"), ["--mcp", "--protocol", "2025-11-25", "--families", "notes,history", "-j"], { env: bare(at) });
  assert.deepEqual(tools, JSON.parse(printed.stdout).tools);
});

test("tools/call: every tool, and its result fits its outputSchema", options, async (t) => {
  const at = place(t);
  const { client, call, stderr } = await connect(t, at, { env: { CTX_SESSION: "pi:019859c4-8a10-7c52-b1de-5a0c8e3f2d17", CTX_SESSION_FILE: SAMPLE } });
  await client.listTools();
  const good = async (name, args) => {
    const result = await call(name, args);
    assert.equal(result.isError, false, JSON.stringify(result));
    assert.equal(typeof result.structuredContent, "object");
    return [only(result), result.structuredContent];
  };
  assert.equal((await good("notes_list", {}))[0], "0 notes");
  const [written, { outcome }] = await good("notes_write", { address: "@project/retry", content: "Checkout tries three times. \u{1f6d2}\n" });
  assert.match(written, /^created @project\/retry\.md \(project shop-api-[0-9a-f]{8}\)$/);
  assert.equal(outcome, "created");
  assert.equal((await good("notes_read", { address: "@project/retry" }))[1].text, "Checkout tries three times. \u{1f6d2}\n");
  assert.match((await good("notes_search", { query: "THREE" }))[0], /^1 file\n/);
  assert.equal((await good("notes_update", { address: "@project/retry", edits: [{ oldText: "three", newText: "five" }] }))[1].applied, 1);
  assert.equal((await good("notes_list", {}))[1].files[0].address, "@project/retry.md");
  assert.match((await good("history_list", { query: ["Langstra\u00dfe"] }))[0], /^seq 1 \| user/);
  assert.match((await good("history_read", { seq: 1 }))[0], /Z\u00fcrich/);
  assert.equal(stderr(), "");
});

test("a refusal and a wrong argument are answers, an unknown tool is an error", options, async (t) => {
  const { client, call } = await connect(t, place(t));
  await client.listTools();
  const refused = await call("notes_write", { address: "@agents/bob/todo", content: "x" });
  assert.equal(refused.isError, true);
  assert.equal(refused.structuredContent.code, "invalid_scope");
  assert.equal(only(refused), `error: invalid_scope: ${refused.structuredContent.error}`);
  for (const args of [{ address: "@project/a", limit_chars: "8" }, { address: "@project/a", surprise: 1 }, {}, undefined]) {
    const wrong = await call("notes_read", args);
    assert.equal(wrong.isError, true);
    assert.equal(wrong.structuredContent.code, "invalid_arguments");
    assert.equal(only(wrong), `error: invalid_arguments: ${wrong.structuredContent.error}`);
  }
  await assert.rejects(call("notes_eat", {}), { code: -32602, message: /Unknown tool: notes_eat/ });
  await assert.rejects(client.listPrompts(), /prompts/);
});

test("200 calls at once are answered, each with its own note", options, async (t) => {
  const { client, call, stderr } = await connect(t, place(t));
  await client.listTools();
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  await Promise.all(numbers.map((n) => call("notes_write", { address: `@self/n${n}`, content: `this is ${n}` })));
  const read = await Promise.all(numbers.map((n) => call("notes_read", { address: `@self/n${n}` })));
  assert.deepEqual(read.map((result) => result.structuredContent.text), numbers.map((n) => `this is ${n}`));
  assert.equal(stderr(), "");
});

test("a cancelled call ends its program, and the next one is answered", options, async (t) => {
  const at = place(t);
  const bin = join(at.dir, "bin"), pidfile = join(at.dir, "pid");
  mkdirSync(bin);
  for (const name of readdirSync(BIN)) if (name !== "notes-list") symlinkSync(join(BIN, name), join(bin, name));
  writeFileSync(join(bin, "notes-list"), `#!/bin/sh\n[ $# -eq 0 ] || exec ${BIN}/notes-list "$@"\necho $$ >${pidfile}.new\nmv ${pidfile}.new ${pidfile}\nexec sleep 1000\n`);
  chmodSync(join(bin, "notes-list"), 0o755);
  const { client, call } = await connect(t, at, { args: ["--bin-dir", bin] });
  await client.listTools();
  const stop = new AbortController();
  const asked = assert.rejects(client.callTool({ name: "notes_list", arguments: {} }, undefined, { signal: stop.signal }));
  await until(() => existsSync(pidfile));
  stop.abort("enough");
  await asked;
  const pid = readFileSync(pidfile, "utf8").trim();
  await until(() => !existsSync(`/proc/${pid}`));
  assert.equal((await call("notes_search", { query: "x" })).isError, false);
});

test("roots: the client's folder is the project, also after it has moved", options, async (t) => {
  const at = place(t);
  const roots = [];
  const { client, call } = await connect(t, at, {
    capabilities: { roots: { listChanged: true } },
    setUp: (one) => one.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots] })),
  });
  const move = async (name) => {
    mkdirSync(join(at.dir, name));
    roots.splice(0, 1, { uri: pathToFileURL(join(at.dir, name)).href });
    await client.sendRootsListChanged();
    return (await call("notes_write", { address: "@project/where", content: name })).structuredContent;
  };
  const first = await move("a b\u00fc"), second = await move("web");
  assert.match(second.project_key, /^web-/);
  assert.deepEqual([first.outcome, second.outcome], ["created", "created"]);
  assert.notEqual(first.project_key, second.project_key);
});

test("without roots the project is where the server was started", options, async (t) => {
  const { call } = await connect(t, place(t));
  assert.match((await call("notes_write", { address: "@project/x", content: "y" })).structuredContent.project_key, /^shop-api-/);
});

test("the facts of a host that serves many sessions go with each call", options, async (t) => {
  const { call } = await connect(t, place(t));
  const facts = (agent) => ({ "ctxtools/facts": { agent, session: `pi:${agent}` } });
  for (const agent of ["ana", "bob"])
    assert.equal((await call("notes_write", { address: "@self/me", content: agent }, facts(agent))).structuredContent.outcome, "created");
  assert.equal((await call("notes_read", { address: "@self/me" }, facts("bob"))).structuredContent.text, "bob");
});

test("when the client closes, the server is gone", options, async (t) => {
  const { client, pid } = await connect(t, place(t));
  assert.ok(existsSync(`/proc/${pid}`));
  await client.close();
  await until(() => !existsSync(`/proc/${pid}`));
});
