// A path as it is written, made absolute: `.` and `..` taken by the letter, links not looked at.
export function absolutePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
