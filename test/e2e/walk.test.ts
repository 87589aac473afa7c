// Every command on one machine, under the embedded supervisor.
import { openOneMachine } from './one-machine-site.js'
import { describeWalk } from './walk.js'

describeWalk('one machine', openOneMachine())
