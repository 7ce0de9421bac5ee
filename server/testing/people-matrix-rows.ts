import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { PASSWORD, type World } from './create-world.ts'
import { admin, open, owned, provisioning, session, user, type MatrixRow } from './matrix-row.ts'

const account = async (world: World) => ({ user_id: await world.newUser() })
const group = async (world: World) => ({ group_id: await world.newGroup() })
const inGroup = (row: Partial<MatrixRow> = {}): MatrixRow => admin({ params: group, ...row })
/** Disabled, so that no events of the other rows are sent. */
const hook = { url: 'http://127.0.0.1:9/hook', enabled: false }
const eventWebhook = async ({ server }: World) => ({
  webhook_id: (await server.context.webhooks.events.create(hook)).id,
})
let counter = 0

/**
 * Rows of the authorisation matrix for the gateway itself, sign-in, accounts, groups and
 * configuration.
 */
export const peopleRows: Readonly<Record<string, MatrixRow>> = {
  'system.health': open(),
  'system.healthDatabase': open(),
  'system.ready': open(),
  'system.config': open(),
  'system.version': open(),
  'system.versionUpdates': user(),
  'system.changelog': user(),
  'system.usage': user(),
  'system.gravatar': { ...user(), query: '?email=a@example.com' },
  'utils.pdf': user(200, { title: 'Tea', messages: [] }),
  // Nothing is installed in the test.
  'utils.formatCode': admin({ status: 503, body: () => ({ code: 'x=1' }) }),
  'utils.markdown': user(200, { md: '**x**' }),
  'system.manifest': open(),
  'system.opensearch': open(),
  'system.watch': open(302),
  'system.openapi': admin(),

  'auths.signup': open(403, { name: 'New', email: 'new@example.com', password: PASSWORD }),
  'auths.signin': open(200, { email: 'other@example.com', password: PASSWORD }),
  'ldap.signin': open(403, { user: 'ada', password: PASSWORD }),
  'ldap.enabled': admin(),
  'ldap.updateEnabled': admin({ body: () => ({ enable_ldap: false }) }),
  'ldap.server': admin(),
  'ldap.updateServer': admin({ body: () => ({ search_base: 'dc=example' }) }),
  'ldap.verify': admin({ body: () => ({ host: '' }), status: 400 }),
  'auths.desktop': open(403, { code: 'x'.repeat(43) }),
  'auths.local': { ...open(), body: ({ server }) => ({ token: server.context.auth.localToken }) },
  'auths.session': session(),
  'auths.listSessions': user(),
  'auths.endSession': owned(async (world) => ({ session_id: await world.newSession() })),
  'auths.endOtherSessions': user(),
  'auths.updateProfile': user(200, { name: 'Renamed' }),
  'auths.updateTimezone': session(200, { timezone: 'Europe/Vienna' }),
  'auths.adminDetails': session(),
  'auths.updatePassword': session(400, { password: PASSWORD, new_password: ' ' }),
  'auths.addUser': admin({
    body: () => ({
      name: 'Added',
      email: `added${(counter += 1)}@example.com`,
      password: PASSWORD,
    }),
  }),
  'auths.adminConfig': admin(),
  'auths.updateAdminConfig': admin({ body: () => ({ SHOW_ADMIN_DETAILS: true }) }),
  'auths.listApiKeys': user(),
  'auths.createApiKey': user(200, { name: 'another' }),
  'auths.deleteApiKey': owned(async (world) => ({ key_id: await world.newKey() })),
  'auths.getDefaultApiKey': user(404),
  'auths.createDefaultApiKey': user(),
  'auths.deleteDefaultApiKey': user(),
  'auths.signout': open(),
  'auths.signoutByGet': open(),

  'oauth.login': { ...open(404), params: () => ({ provider: 'oidc' }) },
  'oauth.callback': { ...open(404), params: () => ({ provider: 'oidc' }) },
  'oauth.backchannelLogout': open(404),
  'oauth.session': open(401, { code: 'x'.repeat(43) }),
  'oauth.exchange': { ...open(403, { token: 'x' }), params: () => ({ provider: 'oidc' }) },
  'oauth.sessions': user(),
  'oauth.endSessions': { ...user(404), params: () => ({ provider: 'oidc' }) },
  'oauth.sessionsOf': admin({ params: account, status: 400 }),
  'oauth.endSessionOf': admin({
    params: async (world) => ({ ...(await account(world)), session_id: 'none' }),
    status: 404,
  }),
  'oauth.providers': admin(),
  'oauth.beginTest': admin({ params: () => ({ provider: 'oidc' }), body: () => ({}) }),
  'oauth.test': admin({ params: () => ({ test_id: 'none' }), status: 404 }),

  'users.list': admin(),
  'users.all': admin(),
  'users.search': user(),
  'users.groups': user(),
  'users.permissions': user(),
  'users.defaultPermissions': admin(),
  'users.updateDefaultPermissions': admin({ body: () => ({}) }),
  'users.settings': user(),
  'users.updateSettings': user(200, { ui: { theme: 'dark' } }),
  'users.status': user(),
  'users.updateStatus': user(200, { status_message: 'Away' }),
  'users.ownInfo': user(),
  'users.updateOwnInfo': user(200, { tour: 'seen' }),
  'users.updateRole': admin({
    body: async (world) => ({ id: await world.newUser(), role: 'user' }),
  }),
  'users.get': admin({ params: account }),
  'users.info': { ...user(), params: account },
  'users.active': { ...user(), params: account },
  'users.groupsOf': admin({ params: account }),
  'users.update': admin({ params: account, body: () => ({ name: 'Renamed' }) }),
  'users.updateRoleOf': admin({ params: account, body: () => ({ role: 'user' }) }),
  'users.remove': admin({ params: account }),
  'users.profileImage': { ...user(), params: account },

  'groups.list': user(),
  'groups.create': admin({ body: () => ({ name: 'Team' }) }),
  'groups.get': inGroup(),
  'groups.info': { ...user(404), params: group, others: { admin: 200 } },
  'groups.export': inGroup(),
  'groups.preview': inGroup(),
  'groups.members': inGroup(),
  'groups.update': inGroup({ body: () => ({ name: 'Team' }) }),
  'groups.addUsers': inGroup({ body: ({ ids }) => ({ user_ids: [ids.owner] }) }),
  'groups.removeUsers': inGroup({ body: ({ ids }) => ({ user_ids: [ids.owner] }) }),
  'groups.remove': inGroup(),

  'configs.export': admin(),
  'configs.import': admin({ body: () => ({ config: {} }) }),
  'configs.connections': admin(),
  'configs.updateConnections': admin({ body: () => ({}) }),
  'configs.updateSuggestions': admin({ body: () => ({ suggestions: [] }) }),
  'configs.banners': user(),
  'configs.updateBanners': admin({ body: () => ({ banners: [] }) }),
  'configs.webhook': admin(),
  'configs.updateWebhook': admin({ body: () => ({ url: '' }) }),

  'webhooks.gateway': admin(),
  'webhooks.updateGateway': admin({ body: () => ({ url: '' }) }),
  'webhooks.testGateway': admin({ status: 400 }),
  'webhooks.own': user(403),
  'webhooks.updateOwn': user(403, { url: '' }),
  'webhooks.testOwn': user(403),
  'eventWebhooks.catalogue': admin(),
  'eventWebhooks.list': admin(),
  'eventWebhooks.create': admin({ body: () => ({ ...hook, name: 'Another' }) }),
  'eventWebhooks.update': admin({ params: eventWebhook, body: () => ({ name: 'Renamed' }) }),
  'eventWebhooks.remove': admin({ params: eventWebhook }),
  // Nothing listens there, which the endpoint reports.
  'eventWebhooks.test': admin({ params: eventWebhook }),

  'scim.serviceProviderConfig': provisioning(),
  'scim.resourceTypes': provisioning(),
  'scim.resourceType': provisioning({ params: () => ({ type_id: 'User' }) }),
  'scim.schemas': provisioning(),
  'scim.schema': provisioning({ params: () => ({ schema_id: SCIM_SCHEMAS.user }) }),
  'scim.listUsers': provisioning(),
  'scim.createUser': provisioning({
    status: 201,
    body: () => ({ userName: `provisioned${(counter += 1)}@example.com` }),
  }),
  'scim.getUser': provisioning({ params: account }),
  'scim.replaceUser': provisioning({
    params: account,
    body: () => ({ userName: `provisioned${(counter += 1)}@example.com` }),
  }),
  'scim.patchUser': provisioning({
    params: account,
    body: () => ({ Operations: [{ op: 'replace', path: 'active', value: true }] }),
  }),
  'scim.removeUser': provisioning({ params: account, status: 204 }),
  'scim.listGroups': provisioning(),
  'scim.createGroup': provisioning({ status: 201, body: () => ({ displayName: 'Provisioned' }) }),
  'scim.getGroup': provisioning({ params: group }),
  'scim.replaceGroup': provisioning({
    params: group,
    body: () => ({ displayName: 'Provisioned' }),
  }),
  'scim.patchGroup': provisioning({
    params: group,
    body: () => ({ Operations: [{ op: 'remove', path: 'members' }] }),
  }),
  'scim.removeGroup': provisioning({ params: group, status: 204 }),
}
