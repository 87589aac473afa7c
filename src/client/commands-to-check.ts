// Where an answer to a change did not come, an error names a command that shows whether it was made.

/** The commands that show whether a change was made. */
export const lookAt = {
  tasks: (project: string) => `mariposa queue list -j ${project}`,
  meta: (project: string) => `mariposa meta list -j ${project}`,
  deliveries: (project: string) => `mariposa webhook deliveries -j ${project}`,
  secrets: 'mariposa machine list -l',
  units: 'mariposa unit files',
  unit: (name: string) => `mariposa unit status ${name}`,
  machine: (id: string) => `mariposa machine show ${id}`,
  volumes: 'mariposa volume list --all-projects',
  unknown: (machine: string) => `mariposa machine adopt ${machine}`,
} as const
