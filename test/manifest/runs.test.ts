import { describe, expect, test } from 'vitest'
import { readGood, summaries } from './reading.js'

const job = 'name: job\nservice_type: event\nimage: x\n'

describe('keys of runs', () => {
  test('are read, and retries are restarts of a program that failed', () => {
    expect(readGood(`${job}concurrency: 2\ntimeout: 10m\nretries: 3\n`)).toMatchObject({
      concurrency: 2,
      timeout: 600,
      retries: 3,
      restart: { policy: 'on-failure', max: 3 },
    })
  })

  test.each([
    ['concurrency: 0', 'manifest/bad-value'],
    ['timeout: 0', 'manifest/bad-value'],
    ['retries: no', 'manifest/bad-value'],
    ['retries: 3\nrestart: always', 'manifest/conflict'],
    ['retries: 3\nrestart: on-failure:4', 'manifest/conflict'],
  ])('%s is refused', (text, code) => {
    expect(summaries(job + text).join('\n')).toContain(code)
  })

  test('a continuous service has none of them', () => {
    const found = summaries('image: x\nconcurrency: 1\ntimeout: 5\nretries: 1\n')
    expect(found.map((one) => one.split(' ')[0])).toEqual([
      'manifest/conflict',
      'manifest/conflict',
      'manifest/conflict',
    ])
  })

  test('the body of a call is for a run that the call starts', () => {
    const trigger = 'triggers: {go: {url: true, action: start, body: file}}\n'
    expect(readGood(job + trigger)).toMatchObject({
      triggers: [{ name: 'go', action: 'start', body: 'file' }],
    })
    const refused = (text: string): string => summaries(text).join('\n')
    expect(refused(`image: x\n${trigger}`)).toMatch(/^manifest\/conflict \S+ file$/)
    expect(refused(job + trigger.replace('start', 'stop'))).toMatch(/^manifest\/conflict \S+ file$/)
    expect(refused(job + trigger.replace('file}', 'text}'))).toMatch(/^manifest\/bad-value/)
    expect(refused(`${job}${trigger}environment: {TRIGGER_X: y}\n`)).toMatch(/^manifest\/conflict \S+ y$/)
    expect(refused(`${job}${trigger}files: [{path: .trigger-body, content: x}]\n`)).toContain(
      'manifest/conflict',
    )
  })

  test('what is printed reads back', () => {
    expect(summaries(`${job}retries: 3\nrestart: on-failure:3\n`)).toEqual([])
  })
})
