import { driverContract } from '../driver-contract.js'
import { openProcessHost } from './process-host.js'

driverContract('process', () => openProcessHost())
