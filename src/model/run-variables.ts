// What is set for one run of a service.

/** Variables of one run alone, by their names: over those of the manifest. */
export type RunVariables = Readonly<Record<string, string>>
