import {
  DEFAULT_PERMISSIONS,
  type Permissions,
  type PermissionsInput,
} from '#contract/permissions.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { GroupsSettings } from './groups-settings.ts'
import { overlayPermissions, readPermission } from './merge-permissions.ts'

const STORED = 'USER_PERMISSIONS'
/**
 * A separate setting, older than the tree; its value takes precedence, so that both pages show the
 * same.
 */
const API_KEYS = 'USER_PERMISSIONS_FEATURES_API_KEYS'
const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  false: false,
  0: false,
  no: false,
}

/** Returns the environment variables for one name of the tree, the shortest first. */
function variablesOf(branch: string, key: string): string[] {
  const plain = `USER_PERMISSIONS_${branch}_${key}`.toUpperCase()
  const thing = key.replace(/^public_/, '').toUpperCase()
  if (branch === 'workspace') return [plain, `${plain}_ACCESS`]
  if (branch !== 'sharing') return [plain]
  const act = key.startsWith('public_') ? 'ALLOW_PUBLIC_SHARING' : 'ALLOW_SHARING'
  return [plain, `USER_PERMISSIONS_WORKSPACE_${thing}_${act}`, `USER_PERMISSIONS_${thing}_${act}`]
}

function readVariable({ environment }: Config, name: string): boolean | undefined {
  const word = environment[name]?.trim().toLowerCase() ?? ''
  if (word === '') return undefined
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  throw new StartError(
    `${name}=${JSON.stringify(word)} is not possible. It must be true or false.`,
    { exitCode: 2 },
  )
}

/** Returns the part of the tree that is set by the environment. */
function readEnvironment(config: Config): PermissionsInput {
  const tree: PermissionsInput = {}
  for (const [branch, keys] of Object.entries(DEFAULT_PERMISSIONS)) {
    for (const key of Object.keys(keys)) {
      const value = variablesOf(branch, key)
        .map((name) => readVariable(config, name))
        .find((each) => each !== undefined)
      if (value !== undefined) tree[branch] = { ...tree[branch], [key]: value }
    }
  }
  return tree
}

/** Default permissions of all users, before groups add to them. */
export class DefaultPermissions {
  readonly #settings: GroupsSettings
  readonly #environment: PermissionsInput

  constructor({ settings, config }: { settings: GroupsSettings; config: Config }) {
    this.#settings = settings
    this.#environment = readEnvironment(config)
  }

  read(): Permissions {
    const stored = this.#settings.get(STORED)
    // The environment overrides stored values if settings are not to persist, as for every setting.
    const parts = this.#settings.get('ENABLE_PERSISTENT_CONFIG')
      ? [this.#environment, stored]
      : [stored, this.#environment]
    return overlayPermissions(DEFAULT_PERMISSIONS, ...parts, {
      features: { api_keys: this.#settings.get(API_KEYS) },
    })
  }

  /** Stores the sent values; the rest stays. Must be called within a transaction. */
  async update(changes: PermissionsInput): Promise<void> {
    const tree = overlayPermissions(this.read(), changes)
    const mayUseKeys = readPermission(changes, 'features', 'api_keys')
    await this.#settings.update({
      [STORED]: JSON.stringify(tree),
      ...(mayUseKeys !== undefined && { [API_KEYS]: mayUseKeys }),
    })
  }
}
