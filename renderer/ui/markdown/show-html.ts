interface TreeNode {
  type: string
  value?: string
  lang?: string
  children?: TreeNode[]
}

const LINE_BREAK = /^<br\s*\/?>$/i

/**
 * HTML in an answer is shown, never run: a line break breaks the line, a block becomes code, the
 * rest stays as written.
 */
function showIn(parent: TreeNode): void {
  parent.children?.forEach((node) => {
    if (node.type !== 'html') return showIn(node)
    if (LINE_BREAK.test(node.value ?? '')) {
      node.type = 'break'
    } else if (
      parent.type === 'root' ||
      parent.type === 'listItem' ||
      parent.type === 'blockquote'
    ) {
      node.type = 'code'
      node.lang = 'html'
    } else {
      node.type = 'text'
    }
  })
}

/** Plugin of the markdown parser. */
export const showHtml = () => (tree: TreeNode) => showIn(tree)
