/** Text as HTML shows it, also within attributes. */
export const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A description as HTML: what stands between backticks is code. */
export const prose = (text: string): string =>
  html(text).replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

/** A table with a row of headings; the cells are HTML. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}</tbody></table></div>`

/** A part that opens where it stands; both texts are HTML. */
export const details = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n<div class="inside">${content}</div></details>`

/** A block of text in its own lines. */
export const code = (text: string): string => `<pre tabindex="0"><code>${html(text)}</code></pre>`
