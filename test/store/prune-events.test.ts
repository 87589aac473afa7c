import { systemClock } from '../../src/lib/io/clock.js'
import { openMemoryStore } from '../../src/store/io/memory.js'
import { pruningTests } from './prune-events.js'

pruningTests('the store of one machine', async () => openMemoryStore({ clock: systemClock }))
