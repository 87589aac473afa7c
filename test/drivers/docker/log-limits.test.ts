import { describe, expect, it } from 'vitest'
import { defaultLogLimits, loggingOf } from '../../../src/drivers/docker/log-limits.js'

describe('the log of a container whose unit does not say', () => {
  const chosen = { maxBytes: 1_000_000, maxFiles: 2, isChosen: true }
  const limits = (bytes: number, files: number) => ({ 'max-size': `${bytes}`, 'max-file': `${files}` })

  it('is bounded where Docker would keep all of it', () => {
    expect(loggingOf(defaultLogLimits, { driver: 'json-file', hasOptions: false }).config).toEqual({
      LogConfig: { Type: 'json-file', Config: limits(10_485_760, 3) },
    })
  })

  it.each([
    ['json-file', true],
    ['local', false],
    ['journald', false],
  ])("is kept as Docker's operator says: %s", (driver, hasOptions) => {
    expect(loggingOf(defaultLogLimits, { driver, hasOptions })).toEqual({ config: {}, problem: null })
  })

  it.each(['json-file', 'local'])('has the limits that the daemon was given, with %s', (driver) => {
    const { config } = loggingOf(chosen, { driver, hasOptions: true })
    expect(config).toEqual({ LogConfig: { Type: driver, Config: limits(1_000_000, 2) } })
  })

  it('cannot have limits with another log driver, which is told', () => {
    const { config, problem } = loggingOf(chosen, { driver: 'journald', hasOptions: false })
    expect([config, problem]).toEqual([{}, 'the log driver journald of Docker takes no limits of a size'])
  })

  it('is kept whole where that is chosen', () => {
    const all = { ...chosen, maxBytes: null }
    expect(loggingOf(all, { driver: 'json-file', hasOptions: false }).config).toEqual({})
  })
})
