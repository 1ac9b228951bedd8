#!/usr/bin/env node
// Takes e-mails by SMTP on port 1025 and lists them at /api/v1/messages of port 8025, newest first.
const { createServer: createHttpServer } = require('node:http');
const { createServer } = require('node:net');

const MOST = Number(process.env.MP_MAX_MESSAGES ?? 500);
const messages = [];

if (process.argv[2] === 'readyz') {
  fetch('http://127.0.0.1:8025/readyz').then(
    (answer) => process.exit(answer.ok ? 0 : 1),
    () => process.exit(1),
  );
} else {
  createServer(converse).listen(1025, '0.0.0.0');
  createHttpServer((req, res) => {
    const isList = req.url.startsWith('/api/v1/messages');
    const found = isList || req.url === '/readyz';
    res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isList ? { total: messages.length, messages } : {}));
  }).listen(8025, '0.0.0.0');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
}

/** One SMTP session (RFC 5321) without extensions. */
function converse(socket) {
  const say = (line) => socket.write(`${line}\r\n`);
  let envelope = { from: '', to: [] };
  let waiting = '';
  let data;
  socket.setEncoding('utf8').on('error', () => socket.destroy());
  say('220 mailpit');
  socket.on('data', (chunk) => {
    waiting += chunk;
    for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
      const line = waiting.slice(0, end);
      waiting = waiting.slice(end + 2);
      if (data) takeData(line);
      else takeCommand(line);
    }
  });

  function takeCommand(line) {
    const verb = line.slice(0, 4).toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'MAIL') envelope = { from: address, to: [] };
    if (verb === 'RCPT') envelope.to.push(address);
    if (verb === 'DATA') {
      data = [];
      return say('354 send the message');
    }
    if (verb === 'QUIT') {
      say('221 bye');
      return socket.end();
    }
    return say('250 ok');
  }

  function takeData(line) {
    if (line !== '.') return data.push(line.startsWith('..') ? line.slice(1) : line);
    const subject =
      data
        .find((each) => /^subject:/i.test(each))
        ?.slice(8)
        .trim() ?? '';
    messages.unshift({
      From: { Address: envelope.from },
      To: envelope.to.map((to) => ({ Address: to })),
      Subject: subject,
      Size: data.join('\r\n').length,
    });
    messages.splice(MOST);
    data = undefined;
    return say('250 taken');
  }
}
