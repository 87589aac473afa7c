import { describe, expect, it } from 'vitest'
import { takeInheritedSockets } from '../../src/main/inherited-sockets.js'

describe('sockets that systemd hands over', () => {
  it('are those from descriptor 3 on, for the process that is meant', () => {
    expect(takeInheritedSockets({ LISTEN_PID: '17', LISTEN_FDS: '2' }, 17)).toEqual([3, 4])
    expect(takeInheritedSockets({ LISTEN_PID: '16', LISTEN_FDS: '2' }, 17)).toEqual([])
    expect(takeInheritedSockets({ LISTEN_PID: '17', LISTEN_FDS: 'x' }, 17)).toEqual([])
    expect(takeInheritedSockets({}, 17)).toEqual([])
  })

  it('are told to no program that is started later', () => {
    const env = { LISTEN_PID: '17', LISTEN_FDS: '1', LISTEN_FDNAMES: 'a', PATH: '/bin' }
    takeInheritedSockets(env, 17)
    expect(env).toEqual({ PATH: '/bin' })
  })
})
