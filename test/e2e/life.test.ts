// The life of a service on one machine.
import { describeLife } from './life.js'
import { openOneMachine } from './one-machine-site.js'

describeLife('one machine', openOneMachine())
