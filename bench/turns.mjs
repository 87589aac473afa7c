// How long the thread of the daemon is busy without a break: while ten thousand instances are planned on a hundred machines
// (the longest turn of the event loop), and in each decision or answer that is made in one go.
import { bundleExports } from './bundle.mjs'

const machines = 100
const instances = 10_000
const services = 1000
const rounds = 3
/** What has taken so long is not done another time: some of this takes seconds. */
const longEnoughMs = 2000

/** Rows `{name, value, unit}`. */
export async function run() {
  const ours = await load()
  return [...(await plans(ours)), ...answers(ours)]
}

async function load() {
  return bundleExports(
    `export { planDeploy, decidePlaceable } from './src/api/plan.ts'
        export { serviceBodyOf, serviceDetailsOf, instanceBodyOf } from './src/api/bodies.ts'
        export { projectBodies, stopProject, deleteProject } from './src/api/projects.ts'
        export { explain } from './src/api/explain.ts'
        export { openVersionUnits } from './src/compile/version-unit.ts'
        export { Scheduler } from './src/engine/scheduler.ts'
        export { Slices } from './src/lib/io/slices.ts'
        export { defaultSettings as settings } from './src/manifest/settings.ts'
        export { planService } from './src/service/plan.ts'
        export { situationOf } from './src/service/situation.ts'
        export { writesOf } from './src/service/writes.ts'
        export { opsLike } from './src/store/scratch.ts'
        export { World, project } from './test/world/world.ts'`,
    'turns.mjs',
  )
}

const manifest = (more = '') => `compute_type: process\ncommand: [/bin/sleep, "100"]\nmemory: 16M\n${more}`

function cluster({ World }) {
  const world = new World()
  for (let n = 0; n < machines; n++) world.machine(`m${n}`, { memoryMb: 64_000, cpus: 16 })
  return world
}

async function plans(ours) {
  const world = cluster(ours)
  const rows = [await planned(ours, world, `plan of ${instances} new instances on ${machines} machines`, {})]
  world.deploy(manifest(), { scale: instances })
  world.settle(undefined, 60)
  rows.push(
    await planned(ours, world, `the same while they run: nothing changes`, {}),
    await planned(ours, world, `the same: scale to 10`, { scale: 10 }),
    await planned(ours, world, `the same: a new version, one at a time (with 5 s)`, {
      more: '# new\n',
      budgetMs: 5000,
    }),
  )
  return [...rows.flat(), ...(await firstLook(ours, world)), ...ofOne(ours, world)]
}

async function planned({ planDeploy, Slices, project, settings, openVersionUnits }, world, name, asked) {
  const { more = '', scale = instances, budgetMs = 30_000 } = asked
  const tools = { settings, unitOf: openVersionUnits(settings), explainer: world.explainer }
  const request = { sources: [{ file: 'web.yml', text: manifest(more), name: 'web' }], scale }
  return inTurns(name, async () => {
    const { steps } = planDeploy(world.view, tools, project, request, world.now)
    const plan = await new Slices().run(steps, budgetMs)
    return plan.cut ? ', cut' : ''
  })
}

/** As the engine's pass does it: one that has just begun to lead takes in what there is, and decides. */
async function firstLook({ Scheduler, Slices }, world) {
  const look = async () => {
    const scheduler = new Scheduler(world.view, (unit) => world.units.needs(unit))
    await new Slices().run(scheduler.takeIn(), Number.POSITIVE_INFINITY)
    scheduler.step(world.now)
    return ''
  }
  const looks = []
  for (let round = 0; round < rounds; round++)
    looks.push(await inTurns(`scheduler, first look of a new leader at ${instances} units`, look))
  return looks.sort(([, a], [, b]) => a.value - b.value)[Math.floor(rounds / 2)]
}

/** How long some work takes that leaves others their turn, and the longest turn of the event loop meanwhile. */
async function inTurns(name, work) {
  const from = process.cpuUsage()
  let [longestMs, spentMs, isOver] = [0, 0, false]
  const turn = () => {
    const ms = cpuMsSince(from)
    longestMs = Math.max(longestMs, ms - spentMs)
    spentMs = ms
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const more = await work()
  const took = cpuMsSince(from)
  isOver = true
  await new Promise(setImmediate)
  const unit = 'ms of processor time'
  return [
    { name: `${name}${more}`, value: took, unit },
    { name: 'its longest turn', value: longestMs, unit },
  ]
}

/** By processor time: what else runs on the machine does not count. V8's own threads do. */
function cpuMsSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** What the passes do in one turn about one service of ten thousand instances. */
function ofOne(ours, world) {
  const { planService, situationOf, writesOf, settings, openVersionUnits, opsLike, project } = ours
  const unitOf = openVersionUnits(settings)
  const service = world.view.services.get(`${project}/web`)
  const tools = { unitOf, makesRoom: world.makesRoom, units: world.units }
  const situation = () => situationOf(world.view, service, tools)
  const down = { ...service, scale: 10 }
  return [
    once('service pass over a service of 10000 instances', () => planService(situation(), world.now)),
    once('the same, with 9990 to stop', () => {
      const plan = planService({ ...situation(), service: down }, world.now)
      writesOf(world.view, down, plan, world.now)
    }),
    once('noting the cluster for a plan', () => opsLike(world.view, [project])),
    once('instances of one service as JSON', () =>
      JSON.stringify(world.live('web').map((one) => ours.instanceBodyOf(world.view, one, world.now))),
    ),
    once('service get', () => JSON.stringify(ours.serviceDetailsOf(world.view, service, null, world.now))),
    once('explain of one instance', () =>
      ours.explain(world.view, world.explainer, project, 'web-7', world.now),
    ),
    once('explain of the service', () =>
      JSON.stringify(ours.explain(world.view, world.explainer, project, 'web', world.now)),
    ),
  ]
}

/** A thousand services of ten instances each. */
function answers(ours) {
  const world = cluster(ours)
  const sources = Array.from({ length: services }, (_, n) => ({
    file: `s${n}.yml`,
    text: manifest(),
    name: `s${n}`,
  }))
  const request = { sources, scale: instances / services }
  world.deploy('', request)
  world.settle(undefined, 4)
  const { project, settings, openVersionUnits } = ours
  const tools = { settings, unitOf: openVersionUnits(settings), explainer: world.explainer }
  const { view, now } = world
  const all = [...view.services.values()]
  const decide = (asked) => ours.decidePlaceable(view, tools, project, asked, now, null)
  const changed = sources.map((one) => ({ ...one, text: manifest('# new\n') }))
  return [
    once('service list of 1000 services with 10 instances each', () =>
      JSON.stringify(all.map((one) => ours.serviceBodyOf(view, one, now))),
    ),
    once('project list', () => JSON.stringify(ours.projectBodies(view, now))),
    once('service ps of all', () =>
      JSON.stringify(
        all.flatMap(({ name }) => world.live(name)).map((one) => ours.instanceBodyOf(view, one, now)),
      ),
    ),
    once('project deploy of 1000 services, unchanged', () => decide(request)),
    once('project deploy of 1000 services, all changed', () => decide({ sources: changed })),
    once('project deploy of one service with --prune of 999', () =>
      decide({ sources: sources.slice(0, 1), prune: true }),
    ),
    once('project stop', () => ours.stopProject(view, project, now)),
    once('project delete --force', () => ours.deleteProject(view, project, true, now)),
  ]
}

/** The median of some; of one where that takes long. */
function once(name, work) {
  const times = []
  for (let round = 0; round < rounds && times.every((ms) => ms < longEnoughMs); round++) {
    const before = process.cpuUsage()
    work()
    times.push(cpuMsSince(before))
  }
  times.sort((a, b) => a - b)
  return { name, value: times[Math.floor(times.length / 2)], unit: 'ms of processor time' }
}
