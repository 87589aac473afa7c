// Examples of the manifest's specification, word for word: comments, placeholders and what is no YAML included.
export const seedText = {
  containerpilot: `    - network: <network name|uuid>
    - port
`,
  healthchecks: `  - type: https # the request is made from the user's nat zone
    network: network name/uuid # optional, default is "public"; the network (including user fabric netwokrs) on which the service is listening
    port: 443 # optional, defaults to 80 or 443 based on healthcheck type
    path: /some/path/on/container
    poll: 30
    timeout: 10
    retries: 3

  - type: command # the command is run in the container (only supported for non-KVM)
    command: /usr/sbin/some_executable # any non-zero output is a failure
    user: root
    poll: 30
    timeout: 10
    retries: 3
`,
  triggers: `    - highram # the user-specified trigger name
        metric: containermonitor.ram_used
        operator: >
        value: 80%
        time: 5 minutes
        action: increment # incr|decrement|decr
        instances: 1
    - lowutilization
        source: containerpilot.tps
        operator: <
        value: .3
        time: 2 minutes
        action: decr # increment|incr|decrement
        instances: 1
    - highlatency
        source: service.another_servicename.containerpilot|containermonitor.dblatency
        operator: >
        value: 90
        time: 3 minutes
        action: increment # incr|decrement|decr
        instances: 1
`,
  stop: `  - timeout: -1
  - preservestopped: always
`,
} as const

/** The triggers with the colon behind their names without which they are no YAML. */
export const triggersInYaml = seedText.triggers.replace(/- (highram|lowutilization|highlatency)/g, '- $1:')
