import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';

/** Returns the texts of an SVG. Fails if it isn't well-formed XML, or could run or load anything. */
export function readSvg(file: Uint8Array): string[] {
  const texts: string[] = [];
  let depthOfText = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(error));
  parser.on('doctype', () => assert.fail('A document type can load entities.'));
  parser.on('processinginstruction', () => assert.fail('A processing instruction can load a style sheet.'));
  parser.on('opentag', ({ name, attributes }) => {
    assert.ok(allowedElements.has(name), name);
    if (name === 'text' || depthOfText > 0) depthOfText += 1;
    if (name === 'text') texts.push('');
    for (const [attribute, value] of Object.entries(attributes)) {
      if (name === 'image' && attribute === 'href') {
        assert.match(value, /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/);
        continue;
      }
      assert.doesNotMatch(attribute, /^on|href$/i, `${attribute}="${value}"`);
      assert.doesNotMatch(value, /url\((?!#)/i, `${attribute}="${value}"`);
    }
  });
  parser.on('closetag', () => {
    if (depthOfText > 0) depthOfText -= 1;
  });
  parser.on('text', (text) => {
    if (depthOfText > 0) texts.push(`${texts.pop() ?? ''}${text}`);
  });
  parser.write(Buffer.from(file).toString('utf8')).close();
  return texts;
}

const allowedElements: ReadonlySet<string> = new Set(
  'svg g defs title desc clipPath rect line circle ellipse path polyline polygon text tspan image linearGradient radialGradient stop pattern'.split(
    ' ',
  ),
);
