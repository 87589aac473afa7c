// What Compose can say and a manifest cannot, and what to do instead.

const host = 'the machine has to see to it'
const size = 'cpu says how many cores there are at the most, and a package how many are reserved'
const unit = (key: string) => `a unit of your own can say ${key}= (docs/units.md)`

/** Keys of a service that have no counterpart. */
export const uncarriedOfService: Readonly<Record<string, string>> = {
  annotations: 'use labels',
  attach: 'every line is kept: mariposa service logs',
  blkio_config: host,
  cgroup: host,
  cgroup_parent: host,
  container_name: 'instances are named <service>-<n>',
  cpu_count: size,
  cpu_percent: size,
  cpu_period: size,
  cpu_quota: size,
  cpu_rt_period: host,
  cpu_rt_runtime: host,
  cpu_shares: size,
  cpuset: host,
  credential_spec: host,
  develop: 'it is for development; deploy again after a change',
  device_cgroup_rules: host,
  dns_opt: unit('DNSOption'),
  domainname: 'the name of an instance is its own',
  driver_opts: host,
  expose: 'only published ports can be reached from elsewhere: add to ports what others need',
  external_links: 'name the address in environment',
  ipc: host,
  isolation: host,
  label_file: 'the file is not read: put its lines under labels',
  mac_address: host,
  mem_reservation: 'memory is what is reserved and the limit in one',
  mem_swappiness: host,
  models: 'run the model as a service of its own, and name its address in environment',
  net: unit('Network'),
  network_mode: unit('Network'),
  networks:
    'containers of a machine reach each other by name, and those of others the ports that they publish; a unit of your own can say Network=',
  oom_kill_disable: host,
  oom_score_adj: host,
  pid: host,
  platform: 'the machine pulls what fits it',
  post_start: 'have the program do it when it starts',
  pre_stop: 'have the program do it when it is asked to stop',
  provider: 'run it by its own tool, and name its address in environment',
  runtime: host,
  stdin_open: 'nobody is there to type',
  storage_opt: host,
  tty: 'nobody is there to look; what is printed is kept as lines',
  use_api_socket: host,
  userns_mode: host,
  uts: host,
  volume_driver: host,
  volumes_from: 'instances share no files',
}

/** Keys beside `services` that have no counterpart. */
export const uncarriedOfFile: Readonly<Record<string, string>> = {
  include: 'only this file was read: import the others too',
  models: 'run the models as services',
  name: 'name the project when you deploy: mariposa service deploy -j NAME …',
  networks:
    'containers of a machine reach each other by name, and those of others the ports that they publish',
}

/** Keys of `deploy` that have no counterpart. */
export const uncarriedOfDeploy: Readonly<Record<string, string>> = {
  endpoint_mode: 'every instance has an address of its own',
  labels: 'they would be the labels of the service; use labels for those of the instances',
  rollback_config: 'deploy the manifest of the version before to go back',
  update_config: 'mariposa service deploy --rolling N says how many are replaced at a time',
}
