// The discovery document of fleet's API v1, from which its clients are generated.

const text = { type: 'string' } as const
const inQuery = { type: 'string', location: 'query' } as const
const unitName = { type: 'string', location: 'path', required: true } as const
const states = { type: 'string', enum: ['inactive', 'loaded', 'launched'] } as const

function schema(id: string, properties: object) {
  return { id, type: 'object', properties }
}

function listOf(entity: string) {
  return { type: 'array', items: { $ref: entity } }
}

function page(entity: string, list: string) {
  return schema(`${entity}Page`, { [list]: listOf(entity), nextPageToken: text })
}

function list(entity: string, path: string, more: object = {}) {
  return {
    id: `fleet.${entity}.List`,
    description: `Retrieve a page of ${entity} objects.`,
    httpMethod: 'GET',
    path,
    parameters: { nextPageToken: inQuery, ...more },
    response: { $ref: `${entity}Page` },
  }
}

function ofUnit(id: string, description: string, httpMethod: string, path: string, more: object = {}) {
  return {
    id,
    description,
    httpMethod,
    path,
    parameters: { unitName },
    parameterOrder: ['unitName'],
    ...more,
  }
}

const schemas = {
  Machine: schema('Machine', {
    id: text,
    primaryIP: text,
    metadata: { type: 'object', properties: {}, additionalProperties: text },
  }),
  MachinePage: page('Machine', 'machines'),
  UnitOption: schema('UnitOption', { section: text, name: text, value: text }),
  Unit: schema('Unit', {
    name: text,
    options: listOf('UnitOption'),
    desiredState: states,
    currentState: states,
    machineID: { type: 'string', required: true },
  }),
  UnitPage: page('Unit', 'units'),
  UnitState: schema('UnitState', {
    name: text,
    hash: text,
    machineID: text,
    systemdLoadState: text,
    systemdActiveState: text,
    systemdSubState: text,
  }),
  UnitStatePage: page('UnitState', 'states'),
}

const aUnit = { $ref: 'Unit' }

const resources = {
  Machines: { methods: { List: list('Machine', 'machines') } },
  Units: {
    methods: {
      List: list('Unit', 'units'),
      Get: ofUnit('fleet.Unit.Get', 'Retrieve a single Unit object.', 'GET', 'units/{unitName}', {
        response: aUnit,
      }),
      Delete: ofUnit('fleet.Unit.Delete', 'Delete the referenced Unit object.', 'DELETE', 'units/{unitName}'),
      Set: ofUnit('fleet.Unit.Set', 'Create or update a Unit.', 'PUT', 'units/{unitName}', {
        request: aUnit,
      }),
    },
  },
  UnitState: {
    methods: {
      Get: ofUnit(
        'fleet.UnitState.Get',
        'Retrieve a page of a single UnitState object.',
        'GET',
        'state/{unitName}',
        { response: { $ref: 'UnitState' } },
      ),
      List: list('UnitState', 'state', { unitName: inQuery, machineID: inQuery }),
    },
  },
}

/** Ships with a root that cannot be used: clients put theirs in (seed: fleet API v1). */
export const discoveryJson: string = JSON.stringify({
  kind: 'discovery#restDescription',
  discoveryVersion: 'v1',
  id: 'fleet:v1',
  name: 'schema',
  version: 'v1',
  title: 'fleet API',
  description: '',
  documentationLink: 'http://github.com/coreos/fleet',
  protocol: 'rest',
  icons: { x16: '', x32: '' },
  labels: [],
  baseUrl: '$ENDPOINT/fleet/v1/',
  basePath: '/fleet/v1/',
  rootUrl: '$ENDPOINT/',
  servicePath: 'fleet/v1/',
  batchPath: 'batch',
  parameters: {},
  auth: {},
  schemas,
  resources,
})
