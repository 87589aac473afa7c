// Questions to the names of a cluster in memory.
import { type Answer, type Asked, answerTo } from '../../src/dns/answer.js'
import { NameIndex } from '../../src/dns/name-index.js'
import { describeRecord } from '../../src/dns/records.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { idOf, World } from '../world/world.js'

/** A cluster, and its names as the machine `a` sees them. */
export class NamedWorld extends World {
  readonly names = new NameIndex(this.view, this.units, idOf('a'))

  constructor() {
    super()
    this.onChange((change) => this.names.note(change, this.now))
  }

  ask(name: string, type = 'A', options: Partial<Asked> = {}): Answer | null {
    this.names.refresh(this.now)
    const asked = {
      suffixes: defaultCnsSuffixes,
      now: this.now,
      random: () => 0,
      limit: 4096,
      optionBytes: 11,
    }
    const reply = answerTo(this.names, { name, type }, { ...asked, ...options })
    return reply.kind === 'forward' ? null : reply
  }

  /** The data of the answers, sorted. */
  data(name: string, type = 'A'): readonly string[] {
    return (this.ask(name, type)?.answers ?? []).map(describeRecord).sort()
  }

  code(name: string, type = 'A'): string {
    const answer = this.ask(name, type)
    if (answer === null) return 'forwarded'
    if (answer.code === 'NOERROR' && answer.answers.length === 0) return 'NODATA'
    return answer.code
  }
}

export const privateName = (name: string): string => `${name}.default.cns.mariposa.internal`
export const publicName = (name: string): string => `${name}.default.mariposa.internal`
