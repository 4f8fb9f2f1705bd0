/*
 * pi.test.mjs - the Pi coding agent, as it is published, with the extension of
 * spec/hosts.md section 9.4 and a model that plays a script.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, HERE, MODULES, ROOT, bare, exec, load, place, snippet, until } from "./lib.mjs";
import { play } from "./pi/model.mjs";

/* As README.md says to start it; only the folders differ here. */
const [, PREFIX, WORDS] = /^CTX_BIN=(\S+) pi (.+)$/.exec(snippet("Pi", "sh"));
const EXTENSION = join(HERE, "pi", "ctxtools.ts");
const OPTIONS = WORDS.split(" ").map((word) => word.includes("/") ? join(ROOT, word) : word);

/* What the last tool answered, of that name. */
const answer = (request) => request.messages.findLast((m) => m.role === "tool").content;
const text = (content) => typeof content === "string" ? content : content.map((part) => part.text).join("");
const lines = (file) => readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

function agentDir(at, url) {
  const dir = join(at.dir, "agent");
  mkdirSync(dir);
  writeFileSync(join(dir, "models.json"), JSON.stringify({ providers: { script: {
    baseUrl: url, api: "openai-completions", apiKey: "none", models: [{ id: "Script/Model:1" }] } } }));
  return dir;
}

const SCRIPT = [
  [["notes_list", {}]],
  [["notes_write", { address: "@project/retry", content: "Checkout tries three times. \u20ac\n" }]],
  [["notes_read", { address: "@project/retry", limit_chars: "8" }], ["notes_search", { query: "THREE times" }]],
  [["notes_update", { address: "@project/retry", edits: [{ oldText: "three", newText: "five" }] }]],
  [["history_list", {}]],
  (request) => [["history_read", { seq: Number(/^seq (\d+) \| user$/m.exec(text(answer(request)))[1]) }]],
  [["notes_write", { address: "@agents/bob/todo", content: "Call me." }]],
  [["notes_read", { address: "@project/retry", offset_chars: 1, surprise: true }]],
  "All of it is done.",
];

test("Pi: a session with every kind of call, and what is left of it", { timeout: 120000 }, async (t) => {
  const at = place(t);
  const model = await play(SCRIPT);
  t.after(model.close);
  const agent = agentDir(at, model.url);
  const env = bare(at, { CTX_BIN: BIN, CTX_AGENT: "ana", PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1", PI_TELEMETRY: "0" });
  const pi = await exec(process.execPath, [join(MODULES, "@mariozechner/pi-coding-agent/dist/cli.js"),
    "--provider", "script", "--model", "Script/Model:1", "--no-builtin-tools", ...OPTIONS,
    "-p", "How often does checkout try?"], { env, cwd: at.project, seconds: 100 });
  assert.deepEqual([pi.code, pi.stdout.trim()], [0, "All of it is done."], pi.stderr);

  assert.equal(PREFIX, "/usr/local/bin");
  assert.ok(OPTIONS.includes(EXTENSION));
  const answers = new Map(model.requests.at(-1).messages.filter((m) => m.role === "tool")
    .map((m) => [m.tool_call_id, text(m.content)]));

  await t.test("the model is offered the tools, with the programs' own schemas", async () => {
    assert.equal(model.requests.length, SCRIPT.length);
    const { tools } = JSON.parse((await exec(join(BIN, "tool-schemas"), ["-j", "--families", "notes,history"], { env })).stdout);
    const offered = model.requests[0].tools.map((tool) => tool.function);
    assert.deepEqual(offered.map((tool) => tool.name).sort(), tools.map((tool) => tool.name).sort());
    for (const tool of tools) {
      const seen = offered.find((one) => one.name === tool.name);
      assert.equal(seen.description, tool.description);
      assert.deepEqual(seen.parameters, tool.inputSchema);
    }
    for (const request of model.requests) assert.equal(request.tools.length, offered.length);
  });

  await t.test("it is answered by the text of the programs", () => {
    assert.equal(answers.get("call-0-0"), "0 notes");
    assert.match(answers.get("call-1-0"), /^created @project\/retry\.md \(project shop-api-[0-9a-f]{8}\)$/);
    assert.match(answers.get("call-2-0"), /\n\nCheckout\n\n\[truncated; continue at offset_chars=8\]$/);
    assert.match(answers.get("call-2-1"), /^1 file\n- @project\/retry\.md .*\n {2}line 1 at offset_chars 15: Checkout tries three times\. \u20ac$/);
    assert.match(answers.get("call-3-0"), /^updated @project\/retry\.md \(project .*\): 1 edit$/);
    assert.match(answers.get("call-4-0"), /How often does checkout try\?/);
    assert.match(answers.get("call-5-0"), /How often does checkout try\?/);
    assert.equal(answers.get("call-6-0"), "error: invalid_scope: @agents/bob/todo.md is not your home and can only be read; yours is @self/todo.md");
    assert.match(answers.get("call-7-0"), /surprise/);
  });

  const files = readdirSync(join(agent, "sessions"), { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const session = join(agent, "sessions", files[0]);
  await t.test("the session file has the details, and which calls failed", () => {
    assert.equal(files.length, 1);
    const results = new Map(lines(session).filter((entry) => entry.message?.role === "toolResult")
      .map(({ message }) => [message.toolCallId, message]));
    assert.equal(results.size, answers.size);
    const failed = [...results].filter(([, message]) => message.isError).map(([id]) => id);
    assert.deepEqual(failed, ["call-6-0", "call-7-0"]);
    for (const [id, message] of results) assert.equal(message.content[0].text, answers.get(id));
    assert.equal(results.get("call-1-0").details.outcome, "created");
    assert.equal(results.get("call-2-0").details.text, "Checkout");
    const { applied, change_kind, diff } = results.get("call-3-0").details;
    assert.deepEqual([applied, change_kind], [1, "body"]);
    assert.equal(diff, "--- @project/retry.md\n+++ @project/retry.md\n@@ -1 +1 @@\n-Checkout tries three times. \u20ac\n+Checkout tries five times. \u20ac\n");
    assert.doesNotMatch(answers.get("call-3-0"), /@@/);
  });

  await t.test("the note has what the model wrote, and who it was", () => {
    const notes = join(at.home, ".agents/notes");
    const [name] = readdirSync(notes, { recursive: true }).filter((file) => file.endsWith("/retry.md"));
    assert.match(readFileSync(join(notes, name), "utf8"), /^---\n(.*\n)*---\n\nCheckout tries five times\. \u20ac\n$/);
  });

  await t.test("history-list and history-read give the transcript back", async () => {
    const id = lines(session)[0].id;
    const facts = { ...env, CTX_SESSION: `pi:${id}` };
    const listed = await exec(join(BIN, "history-list"), [], { env: facts, cwd: at.project, input: '{"query":["All of it","often"],"from":"oldest"}' });
    assert.equal(listed.code, 0, listed.stderr);
    const [line, ...rest] = listed.stdout.split("\n");
    const seen = JSON.parse(line).events ?? JSON.parse(line).items;
    assert.ok(seen.length >= 2, line);
    assert.match(rest.join("\n"), /All of it is done\./);
    const read = await exec(join(BIN, "history-read"), [], { env: facts, cwd: at.project, input: JSON.stringify({ seq: seen.at(-1).seq }) });
    assert.equal(read.code, 0, read.stderr);
    assert.match(read.stdout, /All of it is done\./);
  });
});

/* The extension without its host: what no script of a model can bring about. */
async function extension(at, program) {
  const bin = join(at.dir, "bin");
  mkdirSync(bin);
  const stub = (name, source) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${source}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  stub("tool-schemas", `echo '{"tools":[{"name":"notes_list","title":"T","description":"D","inputSchema":{},"executionMode":"parallel","program":"stub"}]}'`);
  stub("stub", program);
  process.env.CTX_BIN = bin;
  const { createJiti } = await load("jiti");
  const register = (await createJiti(import.meta.url, { moduleCache: false }).import(EXTENSION)).default;
  process.env.CTX_BIN = BIN;
  const tools = [];
  register({ registerTool: (tool) => tools.push(tool) });
  const ctx = { cwd: at.project, model: { id: "Acme/X 1" },
    sessionManager: { getSessionId: () => "s", getSessionFile: () => undefined, getLeafId: () => null } };
  return (params, signal) => tools[0].execute("id", params, signal, undefined, ctx);
}

test("the extension: facts of the call, and one program that is fed the arguments", async (t) => {
  const call = await extension(place(t), `read -r line; echo '{"a":1}'; printf 'first\\nsecond %s|%s|%s|%s|%s\\n' "$CTX_SESSION" "$CTX_MODEL" "$CTX_LEAF" "$CTX_SESSION_FILE" "\${CTX_CWD##*/}"`);
  assert.deepEqual(await call({ x: 1 }), { content: [{ type: "text", text: "first\nsecond pi:s|acme-x-1|||shop-api" }], details: { a: 1 } });
});

test("the extension: every bad end throws, with the text or the line on stderr", async (t) => {
  for (const [program, message] of [
    [`echo '{"error":"no","code":"c"}'; echo 'error: c: no'; exit 1`, "error: c: no"],
    ["echo 'stub: what?' >&2; exit 2", "stub: what?"],
    [`echo '{"error":"no","code":"c"}'; echo 'blocked: c'; exit 3`, "blocked: c"],
    ["echo 'stub: no home' >&2; exit 4", "stub: no home"],
    ["kill -9 $$", "stub: ended by SIGKILL"],
  ]) {
    const call = await extension(place(t), program);
    await assert.rejects(call({}), { message });
  }
});

test("the extension: an aborted call kills the whole group, also one that ignores SIGTERM", { timeout: 30000 }, async (t) => {
  const at = place(t);
  const pidfile = join(at.dir, "pids");
  const call = await extension(at, `trap '' TERM; sleep 1000 & echo "$$ $!" >${pidfile}.new; mv ${pidfile}.new ${pidfile}; wait; wait`);
  const stop = new AbortController();
  const asked = call({}, stop.signal);
  const refused = assert.rejects(asked, { message: "aborted" });
  await until(() => existsSync(pidfile));
  stop.abort();
  await refused;
  for (const pid of readFileSync(pidfile, "utf8").trim().split(" "))
    assert.ok(!existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")), `${pid} lives`);
  await assert.rejects(call({}, stop.signal), { message: "aborted" });
});
