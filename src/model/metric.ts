// The metrics that triggers may name.

/** Names that mean the same as one of Container Monitor's. */
export const metricAliases: Readonly<Record<string, string>> = { ram_used: 'mem_agg_usage' }
