// What is served in bench/swarm.mjs. Told to end, it ends at once, or once it has answered what it has.
const { createServer } = require('node:http')
let isEnding = false
const server = createServer((asked, answer) => {
  asked.resume()
  asked.on('end', () => {
    const say = () => {
      if (isEnding) answer.setHeader('connection', 'close')
      answer.end(JSON.stringify({ version: process.env.VERSION, missed: [] }))
    }
    if (asked.url.startsWith('/slow')) setTimeout(say, 5000)
    else say()
  })
}).listen(8080)
// Longer than whoever asks keeps a connection: none of them meets its end.
server.keepAliveTimeout = 600_000
process.on('SIGTERM', () => {
  if (process.env.ENDS === 'at once') process.exit(0)
  isEnding = true
  server.close(() => process.exit(0))
})
