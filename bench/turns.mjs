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
  return [...(await plans(ours)), ...(await answers(ours))]
}

async function load() {
  return bundleExports(
    `export { planDeploy, decidePlaceable } from './src/changes/plan.ts'
        export { serviceDetailsOf } from './src/api/bodies.ts'
        export { DeployDraft } from './src/changes/draft.ts'
        export { KeptBodies } from './src/api/kept-bodies.ts'
        export { Found } from './src/changes/found.ts'
        export { toEnd } from './src/lib/steps.ts'
        export { projectBodies, stopProject, deleteProject, servicesOfProject } from './src/changes/projects.ts'
        export { explain } from './src/api/explain.ts'
        export { openVersionUnits } from './src/compile/version-unit.ts'
        export { Scheduler } from './src/engine/scheduler.ts'
        export { Slices } from './src/lib/io/slices.ts'
        export { defaultSettings as settings } from './test/manifest/default-settings.ts'
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
  for (let n = 0; n < machines; n++) world.machine(`m${100 + n}`, { memoryMb: 64_000, cpus: 16 })
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
  return [...rows.flat(), ...(await firstLook(ours, world)), ...(await ofOne(ours, world))]
}

async function planned(ours, world, name, asked) {
  const { planDeploy, Slices, project } = ours
  const { more = '', scale = instances, budgetMs = 30_000 } = asked
  const tools = toolsOf(ours, world)
  const request = { sources: [{ file: 'web.yml', text: manifest(more), name: 'web' }], scale }
  return inTurns(name, async () => {
    const draft = await drafted(ours, world, request)
    const { steps } = planDeploy(world.view, tools, project, request, world.now, null, draft)
    const plan = await new Slices().run(steps, budgetMs)
    return plan.cut ? ', cut' : ''
  })
}

function toolsOf({ settings, openVersionUnits }, { explainer }) {
  return { settings, unitOf: openVersionUnits(settings), explainer }
}

/** As the API does it before it decides. */
async function drafted({ DeployDraft, Slices, settings, project }, { view, explainer, now }, request) {
  const draft = new DeployDraft({ settings, project, request, now, meanings: null })
  await new Slices().run(draft.steps(view, explainer), Number.POSITIVE_INFINITY)
  return draft
}

/** A listing as the API makes it: what is not known in slices, all else as it is kept. */
async function listed({ KeptBodies, Slices, servicesOfProject, project }, world, name, what, textOf) {
  const services = () => servicesOfProject(world.view, project)
  const list = async (kept) => {
    await new Slices().run(kept.steps(services, world.now, what), Number.POSITIVE_INFINITY)
    textOf(kept, services)
    return ''
  }
  const known = new KeptBodies(world.view)
  await list(known)
  return [
    ...(await medianInTurns(name, () => list(new KeptBodies(world.view)))),
    ...(await medianInTurns('the same once more', () => list(known))).slice(0, 1),
  ]
}

/** As the engine's pass does it: one that has just begun to lead takes in what there is, and decides. */
async function firstLook({ Scheduler, Slices }, world) {
  const look = async () => {
    const scheduler = new Scheduler(world.view, (unit) => world.units.needs(unit))
    await new Slices().run(scheduler.takeIn(), Number.POSITIVE_INFINITY)
    scheduler.step(world.now)
    return ''
  }
  return medianInTurns(`scheduler, first look of a new leader at ${instances} units`, look)
}

/** The same work some times over; the rows of the one that took the median. */
async function medianInTurns(name, work) {
  const taken = []
  for (let round = 0; round < rounds; round++) taken.push(await inTurns(name, work))
  return taken.sort(([a], [b]) => a.value - b.value)[Math.floor(rounds / 2)]
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

/** What is done about one service of ten thousand instances. */
async function ofOne(ours, world) {
  const { planService, situationOf, writesOf, opsLike, project } = ours
  const service = world.view.services.get(`${project}/web`)
  const tools = { ...toolsOf(ours, world), makesRoom: world.makesRoom, units: world.units }
  const situation = () => situationOf(world.view, service, tools)
  const down = { ...service, scale: 10 }
  return [
    once('service pass over a service of 10000 instances', () => planService(situation(), world.now)),
    once('the same, with 9990 to stop: one of its passes', () => {
      const plan = planService({ ...situation(), service: down }, world.now)
      writesOf(world.view, down, plan, world.now)
    }),
    once('noting the cluster for a plan', () => opsLike(world.view, [project])),
    ...(await listed(ours, world, 'instances of one service as JSON', 'instances', (kept, services) =>
      kept.instanceList(
        services().flatMap(({ name }) => world.view.instancesOf(`${project}/${name}`)),
        world.now,
      ),
    )),
    ...(await listed(ours, world, 'service get', 'services', (kept) =>
      JSON.stringify(ours.serviceDetailsOf(world.view, service, null, kept.at(world.now))),
    )),
    once('explain of one instance', () =>
      ours.explain(world.view, world.explainer, project, 'web-7', world.now),
    ),
    once('explain of the service', () =>
      JSON.stringify(ours.explain(world.view, world.explainer, project, 'web', world.now)),
    ),
  ]
}

/** A thousand services of ten instances each. */
async function answers(ours) {
  const world = cluster(ours)
  const sources = Array.from({ length: services }, (_, n) => ({
    file: `s${n}.yml`,
    text: manifest(),
    name: `s${n}`,
  }))
  const request = { sources, scale: instances / services }
  world.deploy('', request)
  world.settle(undefined, 4)
  const { project } = ours
  const tools = toolsOf(ours, world)
  const { view, now } = world
  const decide = (name, asked) =>
    medianInTurns(name, async () => {
      const draft = await drafted(ours, world, asked)
      ours.decidePlaceable(view, tools, project, asked, now, null, draft)
      return ''
    })
  const changed = sources.map((one) => ({ ...one, text: manifest('# new\n') }))
  return [
    ...(await listed(
      ours,
      world,
      'service list of 1000 services with 10 instances each',
      'services',
      (kept, list) => kept.serviceList(project, list, now),
    )),
    ...(await listed(ours, world, 'project list', 'services', (kept) =>
      JSON.stringify(ours.projectBodies(view, kept.at(now))),
    )),
    ...(await listed(ours, world, 'service ps of all', 'instances', (kept, list) =>
      kept.instanceList(
        list().flatMap(({ name }) => view.instancesOf(`${project}/${name}`)),
        now,
      ),
    )),
    ...(await decide('project deploy of 1000 services, unchanged', request)),
    ...(await decide('project deploy of 1000 services, all changed', { sources: changed })),
    ...(await decide('project deploy of one service with --prune of 999', {
      sources: sources.slice(0, 1),
      prune: true,
    })),
    ...(await ofAll(ours, 'project stop', (found) => ours.stopProject(view, project, now, found))),
    ...(await ofAll(ours, 'project delete --force', (found) =>
      ours.deleteProject(view, project, true, now, found),
    )),
  ]
}

/** As the API does it: found out in slices, then decided. */
function ofAll({ Found, Slices, toEnd }, name, decide) {
  return medianInTurns(name, async () => {
    const found = new Found()
    await new Slices().run(decide(found), Number.POSITIVE_INFINITY)
    toEnd(decide(found))
    return ''
  })
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
