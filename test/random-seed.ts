// Where `CI` is set, properties look at the same cases in each run: what a change is refused for is of that change, and
// happens again. Elsewhere each run looks at cases of its own; `RANDOM_SEED=n` plays those of one again.
import fc from 'fast-check'
import { randomSeed } from './random-runs.js'

if (randomSeed !== null) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: randomSeed })
