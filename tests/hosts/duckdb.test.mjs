/*
 * duckdb.test.mjs - what history-export writes for other programs, in an engine
 * for queries: the one that the manual page shows, and texts and types whole.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, ROOT, bare, exec, load, place } from "./lib.mjs";

const { DuckDBInstance } = await load("@duckdb/node-api");
const options = { timeout: 60000 };

/* The export of a host's sessions, as a file in a folder of the test's own. */
async function exported(t, env) {
  const at = place(t), file = join(at.dir, "all.jsonl");
  const { code, stdout, stderr } = await exec(join(BIN, "history-export"), ["*", "--format", "jsonl"],
    { env: bare(at, env(at)), cwd: at.project });
  assert.deepEqual([code, stderr], [0, ""]);
  writeFileSync(file, stdout);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  t.after(() => { connection.closeSync(); instance.closeSync(); });
  return {
    lines: stdout.trimEnd().split("\n").map((line) => JSON.parse(line)),
    ask: async (sql) => (await connection.runAndReadAll(sql.replaceAll("all.jsonl", file))).getRowObjectsJson(),
  };
}

/* The query that the manual page shows. */
function shown() {
  const page = readFileSync(join(ROOT, "man/man1/history-export.1"), "utf8");
  const [, sql] = page.match(/DuckDB.*?\n\.Bd -literal[^\n]*\n(SELECT.*?)\n\.Ed/s);
  return sql.replaceAll("\\e", "\\");
}

test("the query of the manual page, over the sample session", options, async (t) => {
  const { lines, ask } = await exported(t, () => ({ PI_CODING_AGENT_SESSION_DIR: join(ROOT, "samples") }));
  const want = new Map();
  for (const { tool, tool_status } of lines.filter((line) => line.tool)) {
    const row = want.get(tool) ?? { tool, calls: 0, failed: 0 };
    row.calls++;
    row.failed += tool_status === "error";
    want.set(tool, row);
  }
  assert.ok(want.size > 2);
  const order = (a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1);
  const got = await ask(shown());
  assert.deepEqual(got.map(({ tool, calls, failed }) => ({ tool, calls: Number(calls), failed: Number(failed) })),
    [...want.values()].sort(order));
});

test("types, texts and times come through as they are", options, async (t) => {
  const text = "Zürich \"q\" \\ \u0001 \u202e \n\t 🙂 end";
  const { ask } = await exported(t, (at) => {
    const folder = join(at.dir, "pi");
    const message = (id, parentId, day, content) => JSON.stringify({ type: "message", id, parentId,
      timestamp: `2026-07-0${day}T10:00:00.000Z`, message: { role: "user", content } });
    mkdirSync(folder);
    for (const id of ["s-a", "s-b"])
      writeFileSync(join(folder, `2026-07-01T00-00-00-000Z_${id}.jsonl`), [
        JSON.stringify({ type: "session", version: 3, id, ...id === "s-b" && { cwd: "/srv/shop" } }),
        message(`${id}1`, null, 1, text), message(`${id}2`, `${id}1`, 2, "x".repeat(100000)), ""].join("\n"));
    return { PI_CODING_AGENT_SESSION_DIR: folder };
  });
  assert.deepEqual(await ask("SELECT session, cwd, count(*)::INTEGER AS n, max(created_at)::TIMESTAMP::VARCHAR AS last, " +
    "sum(total_chars)::INTEGER AS chars FROM read_json('all.jsonl') GROUP BY ALL ORDER BY session"), [
    { session: "pi:s-a", cwd: null, n: 2, last: "2026-07-02 10:00:00", chars: 100000 + [...text].length },
    { session: "pi:s-b", cwd: "/srv/shop", n: 2, last: "2026-07-02 10:00:00", chars: 100000 + [...text].length },
  ]);
  const texts = await ask("SELECT DISTINCT text FROM read_json('all.jsonl') WHERE seq = 1");
  assert.deepEqual(texts, [{ text }]);
});
