// The images on a machine as JSON: why each is kept, or when it goes.

import type { MachineImageBody } from '../contract/contract.js'
import { toIso } from '../lib/time.js'
import type { TidiedImage } from '../model/image.js'

export function imageBodyOf(image: TidiedImage): MachineImageBody {
  const { idleSince, goesAt } = image
  return {
    ...image,
    idleSince: idleSince === null ? null : toIso(idleSince),
    goesAt: goesAt === null ? null : toIso(goesAt),
    reason: reasonOf(image),
  }
}

function reasonOf({ state, idleSince, goesAt, beyond }: TidiedImage): string {
  switch (state) {
    case 'needed':
      return 'a version or a unit names it'
    case 'used':
      return 'a container uses it'
    case 'others':
      return 'it was not fetched by the daemon, so it is kept'
    case 'idle': {
      const since = idleSince === null ? '' : ` since ${toIso(idleSince)}`
      const then = goesAt === null ? '' : `; it is removed at ${toIso(goesAt)} at the latest`
      return `nothing needs it${since}${beyond === null ? then : `; it is removed now: ${limits[beyond]}`}`
    }
  }
}

const limits: Readonly<Record<NonNullable<TidiedImage['beyond']>, string>> = {
  age: 'it was kept for the longest time',
  number: 'enough newer ones are kept',
  disk: 'the disk is fuller than allowed',
}
