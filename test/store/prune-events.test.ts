import { systemClock } from '../../src/lib/io/clock.js'
import { openMemoryStore } from './memory-store.js'
import { pruningTests } from './prune-events.js'

pruningTests('the store of one machine', async () => openMemoryStore({ clock: systemClock }))
