import type { ServerResponse } from 'node:http'
import { toDisposition } from '../lib/serving/to-disposition.ts'
import type { SkillContext } from './skill-context.ts'
import { writeSkillText } from './skill-folder.ts'
import type { SkillRow } from './store.ts'

/** Sends the folder of a skill as a zip that `readArchive` accepts. */
export async function sendArchive(
  { files }: SkillContext,
  skill: SkillRow,
  response: ServerResponse,
): Promise<void> {
  const { zipSync, strToU8 } = await import('fflate')
  const folder = skill.id
  const text = await writeSkillText({
    name: skill.name,
    description: skill.description || skill.name,
    content: skill.content,
  })
  const entries: Record<string, Uint8Array> = { [`${folder}/SKILL.md`]: strToU8(text) }
  for (const { path } of await files.list(skill.id)) {
    const content = await files.read(skill.id, path)
    if (content) entries[`${folder}/${path}`] = content
  }
  // Stored uncompressed: compressing up to 8 MiB would block other requests.
  const archive = zipSync(entries, { level: 0, mtime: skill.updated_at * 1000 })
  response.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Length': archive.length,
    'Content-Disposition': toDisposition(`${folder}.zip`),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end(archive)
}

/** Sends one file for download: nothing in it may run as a page of this gateway. */
export function sendSkillFile(path: string, content: Buffer, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': content.length,
    'Content-Disposition': toDisposition(path.split('/').at(-1)!),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end(content)
}
