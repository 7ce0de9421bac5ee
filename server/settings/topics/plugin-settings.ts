import { BASE_PACKAGES, BETWEEN_REQUIREMENTS } from '../base-packages.ts'
import { integer, list, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

/**
 * Settings of tools and functions. Paths of programs come from the environment only, because they
 * determine what is executed.
 */
export const pluginSettings = [
  toggle('ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS', true, {
    name: 'Install plugin packages',
    searchWords: 'pip python',
    help: 'Installs the packages plugins ask for, and the packages every plugin has.',
  }),
  toggle('ENABLE_PLUGIN_EXECUTE', true, {
    name: 'Let plugins run code in windows',
    searchWords: 'javascript',
    help: 'Lets plugins installed by an administrator run code in the page. Every run is logged.',
  }),
  list('PLUGIN_BASE_PACKAGES', BASE_PACKAGES, {
    name: 'Packages for every plugin',
    searchWords: 'pip python',
    separator: BETWEEN_REQUIREMENTS,
    environmentOnly: true,
    help: 'Packages available to every plugin. One of them must be pydantic.',
  }),
  text('PLUGIN_PYTHON', '', {
    name: 'Python for plugins',
    environmentOnly: true,
    help: 'Python 3.11 to 3.13 for plugins; empty uses the one in the app, or searches for one.',
  }),
  text('PLUGIN_ENVIRONMENTS', '', {
    name: 'Plugin environments folder',
    searchWords: 'python venv',
    environmentOnly: true,
    help: 'Folder for the Python environments of plugins; empty keeps them with the data.',
  }),
  list('PLUGIN_WRITABLE_FOLDERS', [], {
    name: 'Folders plugins can write to',
    searchWords: 'sandbox',
    environmentOnly: true,
    help: 'Folders every plugin can write to besides its own, where the system can enforce this (Linux).',
  }),
  integer('PLUGIN_MEMORY_LIMIT', 4096, [0, 1_048_576], {
    name: 'Memory per plugin',
    searchWords: 'ram limit',
    help: 'MiB of address space a process of plugins may have, where the system can limit it; 0 for no limit.',
  }),
  integer('PLUGIN_PROCESS_LIMIT', 256, [0, 100_000], {
    name: 'Processes per plugin',
    searchWords: 'limit',
    help: 'Programs a process of plugins may have running at once, where the system tells (Linux); 0 for no limit.',
  }),
  integer('PLUGIN_THREAD_LIMIT', 64, [1, 1000], {
    name: 'Threads per plugin',
    searchWords: 'limit',
    help: 'Threads functions of one plugin that are not async may run in at once; further calls of it wait. Each needs 8 MiB of PLUGIN_MEMORY_LIMIT.',
  }),
  integer('PLUGIN_WORKER_LIMIT', 16, [1, 1000], {
    name: 'Plugins running at once',
    searchWords: 'limit',
    help: 'Processes plugins may run in at once; idle ones make room. One person who is no administrator has a quarter of them.',
  }),
  integer('PLUGIN_IDLE_TIMEOUT', 900, [10, 604_800], {
    name: 'When idle plugins stop',
    help: 'After how many idle seconds a plugin process stops.',
  }),
] as const satisfies readonly SettingDefinition[]
