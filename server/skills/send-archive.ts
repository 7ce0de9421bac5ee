import type { ServerResponse } from 'node:http'
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
  const filename = encodeURIComponent(`${folder}.zip`)
  // oxlint-disable-next-line no-control-regex -- headers cannot contain these characters
  const plain = folder.replaceAll(/[^\u0020-\u007e]/g, '_')
  response.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Length': archive.length,
    'Content-Disposition': `attachment; filename="${plain}.zip"; filename*=UTF-8''${filename}`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end(archive)
}

/** Sends one file for download: nothing in it may run as a page of this gateway. */
export function sendSkillFile(path: string, content: Buffer, response: ServerResponse): void {
  const name = path.split('/').at(-1)!
  const plain = name.replaceAll(/[^\u0020-\u007e]/g, '_')
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': content.length,
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end(content)
}
