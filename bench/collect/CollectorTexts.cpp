//===- CollectorTexts.cpp - Sources of what records CUDA's launches -------===//

#include "bench/collect/CollectorTexts.h"

#include <fstream>

namespace kfuse {
namespace {

constexpr const char *WriterText =
#include "bench/collect/RecordWriterText.inc"
    ;
constexpr const char *ArgumentsText =
#include "bench/collect/LaunchArgumentsText.inc"
    ;
constexpr const char *CuptiText =
#include "bench/collect/CudaCollectorText.inc"
    ;
constexpr const char *EventsText =
#include "bench/collect/CudaEventsText.inc"
    ;

bool writeText(const std::string &path, const char *text) {
  std::ofstream file(path);
  file << text;
  return file.flush().good();
}

} // namespace

const std::vector<CollectorText> &collectorHeaders() {
  static const std::vector<CollectorText> Headers = {
      {"RecordWriter.h", WriterText}, {"LaunchArguments.h", ArgumentsText}};
  return Headers;
}

const CollectorText &cuptiCollectorText() {
  static const CollectorText Text = {"CudaCollector.cpp", CuptiText};
  return Text;
}

const CollectorText &eventRecorderText() {
  static const CollectorText Text = {"CudaEvents.cpp", EventsText};
  return Text;
}

std::string writeCollector(const CollectorText &text,
                           const std::string &folder) {
  std::string path = folder + "/" + text.name;
  bool isGood = writeText(path, text.text);
  for (const CollectorText &header : collectorHeaders())
    isGood &= writeText(folder + "/" + header.name, header.text);
  return isGood ? path : "";
}

} // namespace kfuse
