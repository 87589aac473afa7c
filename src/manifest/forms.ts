// What is told of a value that may be written in several forms, where it is in none of them. Apart from the schemas, which commands
// on manifests do not load.

export const afterForms = 'the name of a service, or a map with service and condition'

/** What a manifest may say of a file, as errors word it. */
export const fileForms = 'a map with path and one of content, template, source and meta'

export const stepForms = 'a command line, or a map with command'
