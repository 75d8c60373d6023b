// What a script of the page holds as text: bytes, compressed.

export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const unpacked = async (text) => {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
