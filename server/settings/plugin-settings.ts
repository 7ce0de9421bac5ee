import { BASE_PACKAGES, BETWEEN_REQUIREMENTS } from './base-packages.ts'
import type { SettingDefinition } from './setting-definition.ts'

/**
 * Settings of tools and functions. Paths of programs come from the environment only, because they
 * determine what is executed.
 */
export const pluginSettings = [
  {
    key: 'ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS',
    type: 'boolean',
    default: true,
    help: 'Installs the packages plugins ask for, and the packages every plugin has.',
  },
  {
    key: 'ENABLE_PLUGIN_EXECUTE',
    type: 'boolean',
    default: true,
    help: 'Lets plugins installed by an administrator run code in the page. Every run is logged.',
  },
  {
    key: 'PLUGIN_BASE_PACKAGES',
    type: 'list',
    default: BASE_PACKAGES,
    separator: BETWEEN_REQUIREMENTS,
    environmentOnly: true,
    help: 'Packages available to every plugin. One of them must be pydantic.',
  },
  {
    key: 'PLUGIN_PYTHON',
    type: 'string',
    default: '',
    environmentOnly: true,
    help: 'Python 3.11 to 3.13 for plugins; empty uses the one in the app, or searches for one.',
  },
  {
    key: 'PLUGIN_ENVIRONMENTS',
    type: 'string',
    default: '',
    environmentOnly: true,
    help: 'Folder for the Python environments of plugins; empty keeps them with the data.',
  },
  {
    key: 'PLUGIN_WRITABLE_FOLDERS',
    type: 'list',
    default: [],
    environmentOnly: true,
    help: 'Folders every plugin can write to besides its own, where the system can enforce this (Linux).',
  },
  {
    key: 'PLUGIN_MEMORY_LIMIT',
    type: 'integer',
    default: 4096,
    maximum: 1_048_576,
    help: 'MiB of address space a process of plugins may have, where the system can limit it; 0 for no limit.',
  },
  {
    key: 'PLUGIN_PROCESS_LIMIT',
    type: 'integer',
    default: 256,
    maximum: 100_000,
    help: 'Programs a process of plugins may have running at once, where the system tells (Linux); 0 for no limit.',
  },
  {
    key: 'PLUGIN_THREAD_LIMIT',
    type: 'integer',
    default: 64,
    minimum: 1,
    maximum: 1000,
    help: 'Threads functions of one plugin that are not async may run in at once; further calls of it wait. Each needs 8 MiB of PLUGIN_MEMORY_LIMIT.',
  },
  {
    key: 'PLUGIN_WORKER_LIMIT',
    type: 'integer',
    default: 16,
    minimum: 1,
    maximum: 1000,
    help: 'Processes plugins may run in at once; idle ones make room. One person who is no administrator has a quarter of them.',
  },
  {
    key: 'PLUGIN_IDLE_TIMEOUT',
    type: 'integer',
    default: 900,
    minimum: 10,
    maximum: 604_800,
    help: 'After how many idle seconds a plugin process stops.',
  },
] as const satisfies readonly SettingDefinition[]
