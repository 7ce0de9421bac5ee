import { Access } from '../access/index.ts'
import { parseConfig } from '../config/parse-config.ts'
import { Groups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'
import { GatewaySettings } from '../settings/index.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { Users } from '../users/index.ts'
import type { Role } from '#contract/common.ts'
import { createTestStorage } from './create-test-storage.ts'

/** Creates accounts, groups and access on an in-memory database. */
export async function createPeople(environment: Readonly<Record<string, string>> = {}) {
  const config = parseConfig(environment)
  const storage = createTestStorage()
  const settings = await GatewaySettings.open({
    storage,
    secrets: createSecrets('a root secret that only tests use, 32+ bytes'),
    config,
  })
  const users = new Users({ storage, log: createLogger('silent') })
  const groups = new Groups({ storage, settings, users, config })
  const access = new Access({ storage, groups, users })
  return {
    storage,
    settings,
    users,
    groups,
    access,
    addCaller: async (name: string, role: Role = 'user'): Promise<Caller> => {
      const { id, email } = await users.create({ name, email: `${name}@example.org`, role })
      return { userId: id, role, name, email, credential: 'bearer', keyId: null }
    },
  }
}
