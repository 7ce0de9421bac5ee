import type { FileShelf } from '../../chats/index.ts'
import type { FileEntry } from '../file-entry.ts'
import type { Files } from '../files.ts'

/** Models look at these; every other file is read. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/

const toAttachment = ({ id, filename, meta: { content_type: type, size } }: FileEntry) => ({
  type: PICTURE.test(type) ? 'image' : 'file',
  id,
  name: filename,
  url: `/api/v1/files/${id}/content`,
  size,
  content_type: type,
  status: 'processed',
})

/** Creates the access of imports to the files. */
export const createFileShelf = (files: Files): FileShelf => ({
  async find(userId, id) {
    const file = await files.find(id)
    return file?.user_id === userId ? toAttachment(file) : null
  },
  async create(userId, { name, path }) {
    const file = { filename: name, contentType: null, content: { path } }
    return (await files.create(userId, file, { process: true, background: true })).id
  },
})
