/*
 * more.test.mjs - Copilot CLI, Qwen Code and Gemini CLI, driven by a scripted
 * model, a turn a process: every record that they write is what the programs
 * show of it.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { found } from "./check.mjs";
import { begin, hosts, script } from "./more-home.mjs";

const options = { timeout: 400000 };

for (const name of Object.keys(hosts))
  test(`${name}: turns, parallel and failing calls, MCP, sub-agents, resume`, options, async (t) => {
    const { host, at, env, files, turn, fileOf, check } = await begin(t, name, script(hosts[name]));
    await turn("mk-u-plain @@plain");
    const id = host.id(files()[0]);
    await turn("mk-u-tools @@tools", id);
    await turn("mk-u-note @@note", id);
    await turn("mk-u-agent @@agent", id);
    await t.test("a session, resumed again and again", () => check(fileOf(id)));
    await t.test("a sub-agent's turns are none of the session's", () => host.subagents({ at, env, id }));
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
    await t.test("and once more", () => check(fileOf(id)));
  });
