import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { MOST_RESULTS } from './list-page.ts'
import type { Resource } from './to-resource.ts'

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: true
  readonly required?: true
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable'
  readonly uniqueness?: 'server'
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Resource[]
}

const attribute = (name: string, description: string, options: AttributeOptions = {}): Resource => {
  const {
    type = 'string',
    multiValued = false,
    required = false,
    mutability = 'readWrite',
    uniqueness = 'none',
    ...rest
  } = options
  return {
    name,
    type,
    multiValued,
    description,
    required,
    caseExact: false,
    mutability,
    returned: 'default',
    uniqueness,
    ...rest,
  }
}

const readOnly = { mutability: 'readOnly' } as const

const USER: readonly Resource[] = [
  attribute('userName', 'Name of the user in the provisioning system.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'The name in parts; the gateway keeps it as one.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name.'),
      attribute('givenName', 'The given name.'),
      attribute('familyName', 'The name of the family.'),
    ],
  }),
  attribute('displayName', 'The name that is shown.'),
  attribute('emails', 'The e-mail address; the primary one counts.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.', { uniqueness: 'server' }),
      attribute('type', 'Always work.'),
      attribute('primary', 'Whether it is the one that counts.', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the account may be used.', { type: 'boolean' }),
  attribute('groups', 'Groups of the user; changed through the groups.', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'The id of the group.', readOnly),
      attribute('display', 'Its name.', readOnly),
      attribute('$ref', 'Its address.', {
        type: 'reference',
        referenceTypes: ['Group'],
        ...readOnly,
      }),
      attribute('type', 'Always direct.', readOnly),
    ],
  }),
]

const GROUP: readonly Resource[] = [
  attribute('displayName', 'The name of the group.', { required: true }),
  attribute('members', 'Members of the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the account.', { mutability: 'immutable' }),
      attribute('display', 'Its name.', readOnly),
      attribute('$ref', 'Its address.', {
        type: 'reference',
        referenceTypes: ['User'],
        ...readOnly,
      }),
      attribute('type', 'Always User.', { mutability: 'immutable' }),
    ],
  }),
]

const KINDS = [
  {
    id: 'User',
    schema: SCIM_SCHEMAS.user,
    endpoint: '/Users',
    description: 'An account of the gateway.',
    attributes: USER,
  },
  {
    id: 'Group',
    schema: SCIM_SCHEMAS.group,
    endpoint: '/Groups',
    description: 'A group of users.',
    attributes: GROUP,
  },
] as const

const asList = (Resources: readonly Resource[]): Resource => ({
  schemas: [SCIM_SCHEMAS.list],
  totalResults: Resources.length,
  startIndex: 1,
  itemsPerPage: Resources.length,
  Resources,
})

const listTypes = (root: string): Resource[] =>
  KINDS.map(({ id, schema, endpoint, description }) => ({
    schemas: [SCIM_SCHEMAS.resourceType],
    id,
    name: id,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${id}` },
  }))

const listSchemas = (root: string): Resource[] =>
  KINDS.map(({ id, schema, description, attributes }) => ({
    schemas: [SCIM_SCHEMAS.schema],
    id: schema,
    name: id,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${schema}` },
  }))

/** Metadata about the gateway's provisioning (RFC 7643, 5 to 7). */
export const discovery = Object.freeze({
  configuration: (root: string): Resource => ({
    schemas: [SCIM_SCHEMAS.serviceProviderConfig],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token that is set as SCIM_TOKEN, as "Authorization: Bearer …".',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
  }),
  types: (root: string): Resource => asList(listTypes(root)),
  type: (id: string, root: string): Resource | null =>
    listTypes(root).find((type) => type['id'] === id) ?? null,
  schemas: (root: string): Resource => asList(listSchemas(root)),
  schema: (id: string, root: string): Resource | null =>
    listSchemas(root).find((schema) => schema['id'] === id) ?? null,
})
