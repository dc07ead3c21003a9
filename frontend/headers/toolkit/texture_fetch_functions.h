// Newer toolkits lack it, but Clang includes it on their behalf.
#pragma once
