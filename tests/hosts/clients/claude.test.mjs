/*
 * claude.test.mjs - Claude Code, driven by a scripted model: every record of
 * every transcript that it writes is what the programs show of it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { exec, snippet, until } from "../lib.mjs";
import { call, faultsOf, found, none } from "./check.mjs";
import { PROGRAM, bash, begin, check, fileOf, folder, say, sessions, use } from "./claude-home.mjs";
import { claude } from "./claude.mjs";

const options = { timeout: 300000 };
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SCRIPT = {
  plain: [[{ type: "thinking", thinking: "mk-thought" }, say("mk-a-plain")]],
  tools: [[say("mk-a-tools"), bash("echo mk-out-one"), bash("echo mk-out-two; exit 3"), use("Read", { file_path: "/nonexistent/mk-file" })],
    [use("NoSuchTool", { x: "mk-unknown" })], "mk-a-tools-end"],
  note: [[use("mcp__ctx__notes_write", { address: "where", content: "mk-note" })], "mk-a-note"],
  busy: [[say("mk-a-busy"), bash("sleep 1.5; echo mk-out-busy")], "mk-a-busy-end"],
  queued: ["mk-a-queued"],
  agent: [[use("Task", { description: "sub", prompt: "mk-sub-prompt @@sub", subagent_type: "general-purpose", run_in_background: false })], "mk-a-agent"],
  sub: [[say("mk-sub-a"), bash("echo mk-sub-out")], "mk-sub-end"],
  retried: [{ status: 529, blocks: [say("mk-a-retried")] }],
  after: ["mk-a-after"], cleared: ["mk-a-cleared"], resumed: ["mk-a-resumed"], forked: ["mk-a-forked"],
  picture: ["mk-a-picture"], stopped: [[say("mk-a-stopped"), bash("sleep 30; echo mk-never")]], again: ["mk-a-again"],
  one: ["mk-a-one"], two: [[bash("echo mk-out-gone")], "mk-a-two"], three: ["mk-a-three"], rewound: ["mk-a-rewound"],
  full: [{ blocks: [say("mk-a-full")], tokens: 195000 }], next: ["mk-a-next"],
};

/* A session that is spoken to line by line; run() answers with its result. */
function open(t, { at, host }, ...more) {
  const child = spawn(process.execPath, [PROGRAM, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
    "--dangerously-skip-permissions", "--model", "claude-sonnet-4-5", "--mcp-config", join(at.project, ".mcp.json"), ...more],
    { cwd: at.project, env: host, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const results = [], waiting = [], err = [];
  const end = new Promise((resolve) => child.on("close", resolve));
  t.after(() => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ } });
  child.stderr.on("data", (bytes) => err.push(bytes));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type !== "result") return;
    (waiting.shift() ?? ((one) => results.push(one)))(message);
  });
  const write = (value) => child.stdin.write(`${JSON.stringify(value)}\n`);
  const send = (content) => write({ type: "user", message: { role: "user", content } });
  const answer = () => results.length > 0 ? results.shift() : Promise.race([new Promise((resolve) => waiting.push(resolve)),
    end.then(() => { throw new Error(`ended: ${Buffer.concat(err)}`); })]);
  return {
    send, run: (text) => { results.length = 0; send(text); return answer(); },
    interrupt: () => write({ type: "control_request", request_id: "stop", request: { subtype: "interrupt" } }),
    close: () => { child.stdin.end(); return end; },
  };
}

const uuidOf = (file, marker) => readFileSync(file, "utf8").split("\n").filter((line) => line.includes(marker)).map((line) => JSON.parse(line))
  .find((one) => one.type === "assistant").uuid;

/* What the hook of the README said to the model, of this session. */
const windows = (model) => model.requests.flatMap((asked) => JSON.stringify(asked.messages).match(/Current context window id: claude:[-0-9a-f]+:\d+/g) ?? []);

test("Claude Code: turns, tools, a queue, sub-agents, compaction, /clear, resume, fork", options, async (t) => {
  const all = await begin(t, SCRIPT), { at, model, env } = all;
  const first = open(t, all);
  const { session_id: id } = await first.run("mk-u-plain @@plain");
  assert.equal((await first.run("mk-u-tools @@tools")).result, "mk-a-tools-end");
  assert.equal((await first.run("mk-u-note @@note")).result, "mk-a-note");
  const busy = first.run("mk-u-busy @@busy");
  await until(() => existsSync(fileOf(at, id)) && readFileSync(fileOf(at, id), "utf8").includes("mk-a-busy"));
  first.send("mk-u-queued @@queued");
  await busy;
  await until(() => model.requests.some((asked) => JSON.stringify(asked.messages).includes("mk-u-queued")));
  await first.run("mk-u-retried @@retried");
  await first.run([say("mk-u-picture @@picture"), { type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE } }]);
  const stopped = first.run("mk-u-stopped @@stopped");
  await until(() => readFileSync(fileOf(at, id), "utf8").includes("mk-a-stopped"));
  first.interrupt();
  await stopped;
  await first.run("mk-u-again @@again");
  assert.equal((await first.run("mk-u-agent @@agent")).result, "mk-a-agent");
  await t.test("before the compaction", () => check(t, all, id));
  await first.run("/compact mk-focus");
  await first.run("mk-u-after @@after");
  await t.test("after it", () => check(t, all, id));
  assert.ok(windows(model).some((one) => one.endsWith(`claude:${id}:1`)), "the hook names the window that begins");

  await first.run("/clear");
  const { session_id: cleared } = await first.run("mk-u-cleared @@cleared");
  assert.notEqual(cleared, id);
  await first.run("mk-u-note-again @@note");
  await first.close();
  await t.test("a note after /clear is of the new session", async () => {
    const notes = join(at.home, ".agents/notes/pi/session");
    assert.deepEqual(readdirSync(notes).sort(), [id, cleared].sort());
    await check(t, all, cleared);
  });

  const resumed = open(t, all, "--resume", id);
  assert.equal((await resumed.run("mk-u-resumed @@resumed")).session_id, id);
  await resumed.close();
  await t.test("resumed", () => check(t, all, id));

  const forked = open(t, all, "--resume", id, "--fork-session");
  const { session_id: fork } = await forked.run("mk-u-forked @@forked");
  await forked.close();
  await t.test("forked", async () => {
    await check(t, all, fork);
    await check(t, all, id);
    for (const marker of ["mk-u-plain", "mk-out-two", "mk-a-resumed", "mk-a-forked"]) assert.equal(await found(env, marker), 1, marker);
  });

  await t.test("sub-agents", async () => {
    const agents = join(folder(at), id, "subagents");
    const files = readdirSync(agents).filter((name) => name.endsWith(".jsonl"));
    assert.equal(files.length, 1);
    for (const name of files) {
      const { faults } = await faultsOf(env, claude, join(agents, name), `claude:${basename(name, ".jsonl")}`);
      none(faults);
    }
    assert.equal(await found(env, "mk-sub-out"), 0);
  });
  await t.test("no transcript is left out", () => assert.deepEqual(sessions(at), [id, cleared, fork].sort()));
});

test("Claude Code: a rewind, and a compaction of its own accord", options, async (t) => {
  const all = await begin(t, SCRIPT), { at, env } = all;
  const first = open(t, all);
  const { session_id: id } = await first.run("mk-u-one @@one");
  await first.run("mk-u-two @@two");
  await first.run("mk-u-three @@three");
  await first.close();
  await t.test("as it was", () => check(t, all, id));
  const rewound = open(t, all, "--resume", id, "--resume-session-at", uuidOf(fileOf(at, id), "mk-a-one"));
  const { session_id: same } = await rewound.run("mk-u-rewound @@rewound");
  await rewound.close();
  await t.test("rewound", async () => {
    assert.equal(same, id);
    await check(t, all, id, ["mk-u-two", "mk-out-gone", "mk-a-two", "mk-u-three", "mk-a-three"]);
  });

  const full = open(t, all, "--autocompact", "100000");
  const { session_id: other } = await full.run("mk-u-full @@full");
  await full.run("mk-u-next @@next");
  await full.close();
  await t.test("compacted when it was full", async () => {
    await check(t, all, other);
    const { windows } = await call(env, "context-boot", { session: `claude:${other}` });
    assert.equal(windows.length, 2);
  });
  await t.test("no transcript is left out", () => assert.deepEqual(sessions(at), [id, other].sort()));
});

test("Claude Code: a hook recalls lessons, beside the one that says who it is", options, async (t) => {
  const all = await begin(t, SCRIPT), { at, model, env } = all;
  writeFileSync(join(at.home, ".claude/settings.json"), snippet("Lessons", "json"));
  assert.equal((await exec("lessons-add", ["Tag releases from main only."], { env, cwd: at.project })).code, 0);
  const first = open(t, all);
  await first.run("mk-u-plain @@plain");
  await first.close();
  assert.ok(windows(model).length > 0);
  assert.ok(model.requests.some((asked) => JSON.stringify(asked.messages).includes("PROJECT LESSONS\\n- Tag releases from main only. #1")));
});
