import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageMetric, parseExposition, printExposition } from '../../../src/agent/metrics/exposition.js'

const pages = (before: string | null, now: string, seconds = 10) => {
  const read = parseExposition(now)
  if (read === null) throw new Error('no page')
  return { before: before === null ? null : parseExposition(before), now: read, seconds }
}

describe('a page of metrics', () => {
  it('is read back as it was printed, summed over labels', () => {
    const sample = fc.record({
      name: fc.constantFrom('a', 'b_total', 'c:d'),
      type: fc.constantFrom('gauge' as const, 'counter' as const),
      labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.string()),
      value: fc.integer(),
    })
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1 }), (samples) => {
        const sums = new Map<string, number>()
        for (const { name, value } of samples) sums.set(name, (sums.get(name) ?? 0) + value)
        expect(parseExposition(printExposition(samples))?.values).toEqual(sums)
      }),
    )
  })

  it.each(['', '# only a comment\n', '<html></html>', 'a one\n', 'a{x="1} 2\n'])('is none: %j', (text) => {
    expect(parseExposition(text)).toBeNull()
  })

  it('may have times, exponents and values that are no numbers', () => {
    const read = parseExposition('a{q="}"} 1.5e3 1700000000000\nb +Inf\nc NaN\n')
    expect(read?.values).toEqual(
      new Map([
        ['a', 1500],
        ['b', Number.POSITIVE_INFINITY],
      ]),
    )
  })
})

describe('what a trigger makes of it', () => {
  it('is a gauge as it is', () => {
    expect(pageMetric('tps', pages(null, '# TYPE tps gauge\ntps{a="1"} 2\ntps{a="2"} 3\n'))).toBe(5)
  })

  it('is what a counter grows by per second', () => {
    const counter = (n: number) => `# TYPE requests counter\nrequests ${n}\n`
    expect(pageMetric('requests', pages(counter(10), counter(60)))).toBe(5)
    expect(pageMetric('requests', pages(null, counter(60)))).toBeNull()
    expect(pageMetric('requests', pages(counter(60), counter(10)))).toBeNull()
  })

  it('is the mean of what a summary or histogram observed since', () => {
    const summary = (sum: number, count: number) =>
      `# TYPE latency summary\nlatency{quantile="0.5"} 9\nlatency_sum ${sum}\nlatency_count ${count}\n`
    expect(pageMetric('latency', pages(summary(100, 10), summary(250, 15)))).toBe(30)
    expect(pageMetric('latency', pages(summary(100, 10), summary(100, 10)))).toBeNull()
  })

  it('is found by the end of its name, where only one ends so', () => {
    expect(pageMetric('tps', pages(null, 'shop_web_tps 4\n'))).toBe(4)
    expect(pageMetric('tps', pages(null, 'shop_web_tps 4\nshop_db_tps 5\n'))).toBeNull()
    expect(pageMetric('rps', pages(null, 'shop_web_tps 4\n'))).toBeNull()
  })
})
