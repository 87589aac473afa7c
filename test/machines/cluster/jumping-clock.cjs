// Loaded into a daemon before its program (`node --require`): its wall clock goes off by as many milliseconds as a file
// says. All machines in containers have the host's clock, which no test may touch.
const { readFileSync } = require('node:fs')

const file = process.env.CLOCK_OFF_BY ?? '/run/clock-off-by'
const RealDate = Date
let offMs = 0

setInterval(() => {
  try {
    offMs = Number(readFileSync(file, 'utf8'))
  } catch {
    // Nobody has set it off yet.
  }
}, 20).unref()

class JumpingDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offMs)
    else super(...args)
  }

  static now() {
    return RealDate.now() + offMs
  }
}

globalThis.Date = JumpingDate
