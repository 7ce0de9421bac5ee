/** The tags of a chat, shown below its title. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <span className="mt-0.5 flex gap-1 overflow-hidden">
      {tags.map((tag) => (
        <bdi
          key={tag}
          className="max-w-24 shrink-0 truncate rounded-small bg-hover px-1.5 text-tiny text-muted forced-colors:border"
        >
          {tag}
        </bdi>
      ))}
    </span>
  )
}
