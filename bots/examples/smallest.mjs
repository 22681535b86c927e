// A whole bot with nothing but WebSocket: node smallest.mjs CODE [URL]   (node 22 or newer, or a browser)
const [room, url = "ws://localhost:7777"] = process.argv.slice(2);
const socket = new WebSocket(url);
const send = (message) => socket.send(JSON.stringify(message));

socket.onopen = () => send({ t: "hello", name: "smallest-js", kind: "bot" });
socket.onmessage = ({ data }) => {
  const m = JSON.parse(data);
  if (m.t === "welcome") send({ t: "join", room });
  if (m.t === "turn") send({ t: "act", room, rid: m.rid, act: Math.floor(Math.random() * m.legal.length) });
  if (m.t === "error") console.error(m.msg);
  if (m.t === "over") {
    console.log(JSON.stringify(m.result));
    socket.close();
  }
};
