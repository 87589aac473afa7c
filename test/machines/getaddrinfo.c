// Prints the addresses of a name as the C library that it is linked with finds them.
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
  struct addrinfo hints, *found, *one;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  int code = count < 2 ? EAI_NONAME : getaddrinfo(words[1], 0, &hints, &found);
  if (code != 0) {
    puts(gai_strerror(code));
    return 2;
  }
  for (one = found; one != 0; one = one->ai_next) {
    char text[64];
    getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, 0, 0, NI_NUMERICHOST);
    puts(text);
  }
  return 0;
}
