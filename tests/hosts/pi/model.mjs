/*
 * model.mjs - a chat-completions server on loopback that plays a script.
 *
 * A turn of the script is a text, or a list of calls [name, arguments], or a
 * function of the request that gives either, or {turn, used} with the tokens
 * that are then in use.  Every request is kept.
 */
import { createServer } from "node:http";

const body = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
};

/* A turn as the deltas of a stream; arguments arrive in two pieces. */
function deltas(turn, n) {
  if (typeof turn === "string")
    return [{ role: "assistant", content: turn }];
  return turn.flatMap(([name, args], index) => {
    const json = JSON.stringify(args), half = json.length >> 1;
    return [
      { tool_calls: [{ index, id: `call-${n}-${index}`, type: "function", function: { name, arguments: json.slice(0, half) } }] },
      { tool_calls: [{ index, function: { arguments: json.slice(half) } }] },
    ];
  });
}

/* A turn that cannot be made ends the session with what was wrong. */
function next(turn, asked) {
  try {
    return typeof turn === "function" ? turn(asked) : turn;
  } catch (error) {
    return `the script failed: ${error.message}`;
  }
}

export async function play(script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const asked = await body(request);
    const n = requests.push(asked) - 1;
    const { turn: told, used } = script[n]?.turn === undefined ? { turn: script[n] } : script[n];
    const turn = next(told ?? "the script is over", asked);
    const chunk = (delta, finish_reason = null) => {
      response.write(`data: ${JSON.stringify({ id: `turn-${n}`, object: "chat.completion.chunk", created: 0, model: asked.model,
        choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of deltas(turn, n)) chunk(delta);
    chunk({}, typeof turn === "string" ? "stop" : "tool_calls");
    if (used !== undefined)
      response.write(`data: ${JSON.stringify({ id: `turn-${n}`, object: "chat.completion.chunk", created: 0, model: asked.model,
        choices: [], usage: { prompt_tokens: used - 10, completion_tokens: 10, total_tokens: used } })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests, url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => { server.close(); server.closeAllConnections(); },
  };
}
