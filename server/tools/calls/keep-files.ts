import type { Files } from '../../files/index.ts'
import type { ToolFile } from './tool.ts'

/** A file of a tool as referenced in messages. */
export interface KeptFile {
  readonly [field: string]: unknown
  readonly type: 'image' | 'file'
  readonly id: string
  readonly url: string
  readonly name: string
}

/** Returns a file name: the tool's own, else its type. */
function nameOf({ name, mediaType, type }: ToolFile): string {
  if (name !== null) return name
  const ending = /\/(?:x-)?([a-z0-9]{1,8})/i.exec(mediaType)?.[1] ?? 'bin'
  return `${type}.${ending === 'jpeg' ? 'jpg' : ending === 'octet' ? 'bin' : ending}`
}

/** Stores files made by tools as files of the user, so that messages only reference them. */
export async function keepFiles(
  files: Files,
  ownerId: string,
  made: readonly ToolFile[],
): Promise<KeptFile[]> {
  const kept: KeptFile[] = []
  for (const file of made) {
    const content = {
      filename: nameOf(file),
      contentType: file.mediaType,
      content: { bytes: file.bytes },
    }
    const { id, filename } = await files.create(ownerId, content, {
      process: false,
      background: true,
    })
    const type = file.type === 'image' ? 'image' : 'file'
    kept.push({
      type,
      id,
      url: `/api/v1/files/${id}/content`,
      name: filename,
      content_type: file.mediaType,
    })
  }
  return kept
}
