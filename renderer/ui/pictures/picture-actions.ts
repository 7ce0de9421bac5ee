import { downloadAddress } from '../../api/stored-document.ts'
import { withBase } from '../../lib/base-path.ts'
import { downloadFrom } from '../../lib/download.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../toast.tsx'
import { copyPicture } from './copy-picture.ts'
import type { PictureEntry } from './shown-pictures.ts'

/** Where a picture is read from, below the path the interface is served at. */
export const addressOf = ({ url }: PictureEntry): string =>
  /^(data|blob):/.test(url) ? url : withBase(url)

/** Saves a picture as a file of the person's computer. */
export function savePicture(entry: PictureEntry): void {
  downloadFrom(entry.id === null ? addressOf(entry) : downloadAddress(entry.id))
}

/** Copies a picture and says whether that worked. */
export function copyAndTell(entry: PictureEntry): void {
  copyPicture(addressOf(entry)).then(
    () => toast({ text: translate('pictures.copied') }),
    (thrown: unknown) =>
      toast({
        tone: 'danger',
        text: translate('pictures.copyFailed', {
          problem: thrown instanceof Error ? thrown.message : '',
        }),
      }),
  )
}
