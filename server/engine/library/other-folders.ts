import { homedir } from 'node:os'
import path from 'node:path'
import type { FoundModelFolder } from '#contract/engine.ts'
import { findModels } from './find-models.ts'
import type { ModelFolder } from './model-library.ts'

/**
 * Locations where other programs store their models, below the home folder or, for a program that
 * runs as a service, anywhere.
 */
const USUAL: readonly (readonly [owner: string, place: string])[] = [
  ['Ollama', '.ollama/models'],
  ['Ollama', '/usr/share/ollama/.ollama/models'],
  ['LM Studio', '.lmstudio/models'],
  ['LM Studio', '.cache/lm-studio/models'],
  ['Jan', 'jan/models'],
  ['Jan', '.local/share/Jan/data/llamacpp/models'],
  ['Jan', '.config/Jan/data/llamacpp/models'],
  ['Jan', 'Library/Application Support/Jan/data/llamacpp/models'],
  ['Jan', 'AppData/Roaming/Jan/data/llamacpp/models'],
  ['GPT4All', '.local/share/nomic.ai/GPT4All'],
  ['GPT4All', 'Library/Application Support/nomic.ai/GPT4All'],
  ['GPT4All', 'AppData/Local/nomic.ai/GPT4All'],
]

const ownerOf = (folder: string, home: string): string =>
  USUAL.find(([, place]) => path.resolve(home, place) === folder)?.[0] ?? path.basename(folder)

/** Returns the folders an administrator named; their files are only read. */
export const toFolders = (named: readonly string[], home = homedir()): ModelFolder[] =>
  named
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => ({ path: folder, owner: ownerOf(path.normalize(folder), home) }))

/** Returns the folders of other programs that contain models, and the named ones. */
export async function findFolders(
  named: readonly string[],
  home = homedir(),
): Promise<FoundModelFolder[]> {
  const usual = USUAL.map(([, place]) => path.resolve(home, place))
  const places = [...new Set([...named, ...usual])]
  const found = await Promise.all(
    places.map(async (place) => ({
      path: place,
      owner: ownerOf(path.normalize(place), home),
      model_count: (await findModels(place)).length,
      is_used: named.includes(place),
    })),
  )
  return found.filter(({ model_count: count, is_used: isUsed }) => count > 0 || isUsed)
}
