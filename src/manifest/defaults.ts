// What the canonical form says where an author said nothing.

/** Defaults that do not depend on other keys. */
export const defaults = {
  service_type: 'continuous',
  compute_type: 'docker',
  stop: { timeout: 10, preservestopped: 'on-failure' },
  check: {
    poll: 30,
    timeout: 10,
    retries: 3,
    path: '/',
    network: 'public',
    ports: { http: 80, https: 443 },
  },
  containerpilot: { port: 9090 },
  autoscale: { enable: 'notify', min: 1, retrigger_delay: 60, notify_email: [] },
  trigger: { aggregate: 'avg', instances: 1 },
  webhook: { events: ['start', 'stop', 'health', 'scale', 'deploy'] },
  schedule: { overlap: 'skip' },
  backup: { before_backup_timeout: 3600, keep: 7, consistency: 'live', credentials: 's3' },
  entry: { retries: 3, weight: 100, drain: 30 },
} as const
