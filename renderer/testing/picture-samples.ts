import type { Picture } from '#contract/images.ts'

export const samplePicture = (part: Partial<Picture> = {}): Picture => {
  const id = part.id ?? 'p1'
  return {
    id,
    url: `/api/v1/files/${id}/content`,
    preview: null,
    filename: 'generated-image.png',
    content_type: 'image/png',
    bytes: 900,
    kind: 'generated',
    engine: 'openai',
    model: 'north-image',
    prompt: 'A boat',
    negative_prompt: '',
    size: '512x512',
    width: 512,
    height: 512,
    seed: 7,
    steps: null,
    chat_id: null,
    message_id: null,
    source_ids: [],
    created_at: 100,
    ...part,
  }
}
