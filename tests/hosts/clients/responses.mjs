/*
 * responses.mjs - the Responses API on loopback, which plays a script.
 *
 * As anthropic.mjs: a person's message names a part of the script (`@@tools`),
 * and the n-th request after it gets the n-th turn of that part: a text, a
 * list of items, { items, tokens }, or a function of the request that gives
 * one of these.  A request for a summary gets one.
 */
import { createServer } from "node:http";

const bodyOf = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
};

const textOf = (item) => (Array.isArray(item.content) ? item.content : []).map((block) => block.text ?? "").join("\n");
const isReply = (item) => /_call$|^reasoning$/.test(item.type) || (item.type === "message" && item.role === "assistant");

/* The part that was named last, and how many turns of it were played. */
function place(input) {
  let at = -1, name, turn = 0;
  input.forEach((item, i) => {
    if (item.type !== "message" || item.role !== "user") return;
    for (const [, found] of textOf(item).matchAll(/@@(\w+)/g)) [at, name] = [i, found];
  });
  input.slice(at + 1).forEach((item, i, rest) => { if (isReply(item) && !(i > 0 && isReply(rest[i - 1]))) turn++; });
  return { name, turn };
}

function choose(script, asked, k) {
  if (/CONTEXT CHECKPOINT COMPACTION/.test(textOf(asked.input.at(-1)))) return `mk-summary-${k}`;
  const { name, turn } = place(asked.input);
  const chosen = script[name]?.[turn] ?? `mk-over-${k}`;
  return typeof chosen === "function" ? chosen(asked) : chosen;
}

export const message = (text) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
export const call = (name, args, namespace) => ({ type: "function_call", name, ...(namespace ? { namespace } : {}), arguments: JSON.stringify(args) });

export async function play(script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"models":[],"data":[]}');
      return;
    }
    const asked = await bodyOf(request);
    const k = requests.push(asked) - 1;
    let turn = choose(script, asked, k);
    if (typeof turn === "string") turn = [message(turn)];
    const { items, tokens = 10 } = Array.isArray(turn) ? { items: turn } : turn;
    const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    send("response.created", { response: { id: `resp_${k}` } });
    items.forEach((item, n) => send("response.output_item.done",
      { output_index: n, item: { id: `item_${k}_${n}`, ...(/_call$/.test(item.type) ? { call_id: `call_${k}_${n}` } : {}), ...item } }));
    send("response.completed", { response: { id: `resp_${k}`, usage: { input_tokens: tokens, input_tokens_details: null,
      output_tokens: 1, output_tokens_details: null, total_tokens: tokens + 1 } } });
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests, url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
